-- Who takes care of a problem, and what people wrote about it.
ALTER TABLE "problems" ADD COLUMN "assignee_id" UUID;
ALTER TABLE "problems" ADD COLUMN "comment" TEXT;
ALTER TABLE "problems" ADD COLUMN "commented_at" TIMESTAMPTZ(3);
ALTER TABLE "problems" ADD COLUMN "commented_by" TEXT;

-- When a person last looked at the problems of an account, and the end of the visit before.
ALTER TABLE "memberships" ADD COLUMN "problems_seen_at" TIMESTAMPTZ(3);
ALTER TABLE "memberships" ADD COLUMN "problems_new_since" TIMESTAMPTZ(3);
