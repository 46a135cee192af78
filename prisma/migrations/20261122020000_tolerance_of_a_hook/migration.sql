ALTER TABLE "hooks" ADD COLUMN "tolerance_seconds" INTEGER;

-- Standard Webhooks and Svix are verified under either family of header names, so the event's id is found under either. Only rules that
-- nobody has changed; those of the provider's own family stay in front.
UPDATE "hooks"
SET "dedupe" = '[{"from":"header","name":"webhook-id"},{"from":"header","name":"svix-id"}]'
WHERE "provider" IN ('standard-webhooks', 'openai', 'anthropic', 'replicate', 'dodo-payments', 'lithic', 'liveblocks', 'incident-io', 'loops',
  'fathom', 'folk', 'render', 'recall-ai', 'browserbase', 'composio', 'polar')
  AND "dedupe"::jsonb = '{"from":"header","name":"webhook-id"}';

UPDATE "hooks"
SET "dedupe" = '[{"from":"header","name":"svix-id"},{"from":"header","name":"webhook-id"}]'
WHERE "provider" IN ('svix', 'clerk', 'resend', 'brex') AND "dedupe"::jsonb = '{"from":"header","name":"svix-id"}';
