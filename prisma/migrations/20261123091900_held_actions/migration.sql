-- Since when an action's runs are held because its transforms or templates took too long again and
-- again, and why. Null: they aren't.
ALTER TABLE "actions" ADD COLUMN "held_since" TIMESTAMPTZ(3), ADD COLUMN "held_reason" TEXT;
