CREATE TABLE "hook_shapes" (
    "hook_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "shape" JSON NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "hook_shapes_pkey" PRIMARY KEY ("hook_id", "event_type")
);
ALTER TABLE "hook_shapes" ADD CONSTRAINT "hook_shapes_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "shape_cursors" (
    "hook_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shape_cursors_pkey" PRIMARY KEY ("hook_id")
);
ALTER TABLE "shape_cursors" ADD CONSTRAINT "shape_cursors_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
