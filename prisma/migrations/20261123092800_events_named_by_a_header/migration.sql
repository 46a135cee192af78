-- Rules that took two events for one where only a header says what happened. Hooks that still have what their provider called for get
-- what it calls for now; a rule of their own stays.
UPDATE "hooks" SET "dedupe" = "rules"."after"::json
FROM (VALUES
  ('contentful', '[{"from":"header","name":"x-contentful-idempotency-key"},{"from":"content"}]', '[{"from":"header","name":"x-contentful-idempotency-key"},{"from":"all","of":[{"from":"header","name":"x-contentful-topic"},{"from":"content"}]},{"from":"content"}]'),
  ('woocommerce', '[{"from":"all","of":[{"from":"header","name":"x-wc-webhook-delivery-id"},{"from":"content"}]},{"from":"content","withinSeconds":3600}]', '[{"from":"all","of":[{"from":"header","name":"x-wc-webhook-delivery-id"},{"from":"content"}]},{"from":"all","of":[{"from":"header","name":"x-wc-webhook-topic"},{"from":"content"}],"withinSeconds":3600},{"from":"content","withinSeconds":3600}]')
) AS "rules"("provider", "before", "after")
WHERE "hooks"."provider" = "rules"."provider" AND "hooks"."dedupe"::jsonb = "rules"."before"::jsonb;
