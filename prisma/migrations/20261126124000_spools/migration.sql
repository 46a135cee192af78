-- What waits in the spools of the machines that catch deliveries, as each process last told.
CREATE TABLE "spools" (
    "spool" UUID NOT NULL,
    "writer" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "waiting" INTEGER NOT NULL,
    "oldest_at" TIMESTAMPTZ(3),
    "set_aside" INTEGER NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "spools_pkey" PRIMARY KEY ("spool", "writer")
);

ALTER TABLE "problems" DROP CONSTRAINT "problems_kind_check";
ALTER TABLE "problems" ADD CONSTRAINT "problems_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'disk', 'spool'));
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_kind_check";
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_kind_check" CHECK ("kind" IN ('action_failing', 'rejected', 'silence', 'shape', 'subscription_failing', 'disk', 'spool'));
