-- Rules that took two events for one, or one for two. Hooks that still have what their provider called for get what it calls for now; a
-- rule of their own stays.
UPDATE "hooks" SET "dedupe" = "rules"."after"::json
FROM (VALUES
  ('cal-com', '{"from":"content"}', '[{"from":"all","of":[{"from":"body","path":"createdAt"},{"from":"content"}]},{"from":"content","withinSeconds":300}]'),
  ('figma', '[{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"},{"from":"body","path":"comment_id"}]},{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"},{"from":"body","path":"file_key"}]},{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"}]}]', '[{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"},{"from":"content","except":["retries","passcode"]}]},{"from":"content","except":["retries","passcode"]}]'),
  ('help-scout', '{"from":"content","withinSeconds":86400}', '[{"from":"all","of":[{"from":"header","name":"x-helpscout-event"},{"from":"content"}],"withinSeconds":86400},{"from":"content","withinSeconds":86400}]'),
  ('mercado-pago', '[{"from":"body","path":"id"},{"from":"content"}]', '[{"from":"all","of":[{"from":"body","path":"id"},{"from":"content"}]},{"from":"content"}]'),
  ('netlify', '{"from":"content"}', '[{"from":"all","of":[{"from":"header","name":"x-netlify-event"},{"from":"content"}]},{"from":"content"}]'),
  ('pandadoc', '{"from":"content"}', '[{"from":"header","name":"x-pandadoc-webhook-event-id"},{"from":"content"}]'),
  ('twilio', '[{"from":"header","name":"i-twilio-idempotency-token"},{"from":"content","withinSeconds":60}]', '[{"from":"header","name":"i-twilio-idempotency-token"},{"from":"content","withinSeconds":60},{"from":"header","name":"x-twilio-signature","withinSeconds":60}]')
) AS "rules"("provider", "before", "after")
WHERE "hooks"."provider" = "rules"."provider" AND "hooks"."dedupe"::jsonb = "rules"."before"::jsonb;
