-- How long a key stands for the same event: some providers send nothing that tells a second event from a first one sent again, other than
-- the time that has passed.
ALTER TABLE "dedupe_keys" ADD COLUMN "within_seconds" INTEGER;

-- Rules that took two events for one. Hooks that still have what their provider called for get what it calls for now; a rule of their own
-- stays.
UPDATE "hooks" SET "dedupe" = "rules"."after"::json
FROM (VALUES
  ('ashby', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('azure-event-grid', '[{"from":"body","path":"0.id"},{"from":"body","path":"id"}]', '[{"from":"all","of":[{"from":"body","path":"0.topic"},{"from":"body","path":"0.id"}]},{"from":"body","path":"0.id"},{"from":"all","of":[{"from":"body","path":"source"},{"from":"body","path":"id"}]},{"from":"body","path":"id"}]'),
  ('basic-auth', '{"from":"body","path":"id"}', '[{"from":"all","of":[{"from":"body","path":"id"},{"from":"content"}],"withinSeconds":86400},{"from":"content","withinSeconds":86400}]'),
  ('bearer', '{"from":"body","path":"id"}', '[{"from":"all","of":[{"from":"body","path":"id"},{"from":"content"}],"withinSeconds":86400},{"from":"content","withinSeconds":86400}]'),
  ('bigcommerce', '{"from":"content"}', '{"from":"content","withinSeconds":172800}'),
  ('box', '[{"from":"body","path":"id"},{"from":"header","name":"box-delivery-id"}]', '{"from":"body","path":"id"}'),
  ('buildkite', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('clickup', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('cloudevents', '[{"from":"header","name":"ce-id"},{"from":"body","path":"id"}]', '[{"from":"all","of":[{"from":"header","name":"ce-source"},{"from":"header","name":"ce-id"}]},{"from":"all","of":[{"from":"body","path":"source"},{"from":"body","path":"id"}]},{"from":"header","name":"ce-id"},{"from":"body","path":"id"}]'),
  ('cloudflare-notifications', '{"from":"header","name":"idempotency-key"}', '{"from":"content","withinSeconds":86400}'),
  ('cloudinary', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('convoy', '[{"from":"header","name":"x-convoy-idempotency-key"},{"from":"content"}]', '[{"from":"header","name":"x-convoy-idempotency-key"},{"from":"content","withinSeconds":86400}]'),
  ('docusign', '{"from":"content"}', '[{"from":"all","of":[{"from":"body","path":"data.envelopeId"},{"from":"body","path":"event"},{"from":"body","path":"data.recipientId"},{"from":"body","path":"generatedDateTime"}]},{"from":"all","of":[{"from":"body","path":"data.envelopeId"},{"from":"body","path":"event"},{"from":"body","path":"generatedDateTime"}]},{"from":"content"}]'),
  ('doppler', '{"from":"header","name":"idempotency-key"}', null),
  ('dropbox', '{"from":"header","name":"idempotency-key"}', null),
  ('dropbox-sign', '{"from":"content"}', '[{"from":"all","of":[{"from":"body","path":"json.event.event_hash"},{"from":"body","path":"json.signature_request.signature_request_id"},{"from":"body","path":"json.event.event_metadata.related_signature_id"}]},{"from":"all","of":[{"from":"body","path":"json.event.event_hash"},{"from":"body","path":"json.signature_request.signature_request_id"}]},{"from":"content"}]'),
  ('figma', '{"from":"header","name":"idempotency-key"}', '[{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"},{"from":"body","path":"comment_id"}]},{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"},{"from":"body","path":"file_key"}]},{"from":"all","of":[{"from":"body","path":"webhook_id"},{"from":"body","path":"event_type"},{"from":"body","path":"timestamp"}]}]'),
  ('firecrawl', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('front', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('gitlab', '[{"from":"header","name":"idempotency-key"},{"from":"header","name":"x-gitlab-event-uuid"}]', '[{"from":"header","name":"idempotency-key"},{"from":"all","of":[{"from":"header","name":"x-gitlab-event-uuid"},{"from":"content"}]}]'),
  ('gitlab-signing', '[{"from":"header","name":"webhook-id"},{"from":"header","name":"idempotency-key"},{"from":"header","name":"x-gitlab-event-uuid"}]', '[{"from":"header","name":"webhook-id"},{"from":"header","name":"idempotency-key"},{"from":"all","of":[{"from":"header","name":"x-gitlab-event-uuid"},{"from":"content"}]}]'),
  ('google-channels', '{"from":"header","name":"idempotency-key"}', '{"from":"all","of":[{"from":"header","name":"x-goog-channel-id"},{"from":"header","name":"x-goog-message-number"}]}'),
  ('google-pubsub', '{"from":"body","path":"message.messageId"}', '[{"from":"all","of":[{"from":"body","path":"subscription"},{"from":"body","path":"message.messageId"}]},{"from":"body","path":"message.messageId"}]'),
  ('grafana', '{"from":"header","name":"idempotency-key"}', null),
  ('help-scout', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('hubspot-v2', '{"from":"header","name":"idempotency-key"}', null),
  ('hygraph', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('infisical', '{"from":"content"}', null),
  ('messagebird', '[{"from":"body","path":"message.id"},{"from":"body","path":"id"},{"from":"content"}]', '[{"from":"all","of":[{"from":"body","path":"type"},{"from":"body","path":"message.id"},{"from":"body","path":"message.status"},{"from":"body","path":"message.updatedDatetime"}]},{"from":"all","of":[{"from":"body","path":"type"},{"from":"body","path":"message.id"},{"from":"body","path":"message.status"}]},{"from":"content","withinSeconds":86400}]'),
  ('microsoft-graph', '{"from":"header","name":"idempotency-key"}', null),
  ('ms-teams', '{"from":"body","path":"id"}', '[{"from":"all","of":[{"from":"body","path":"conversation.id"},{"from":"body","path":"id"}]},{"from":"body","path":"id"}]'),
  ('paystack', '{"from":"content"}', '{"from":"content","withinSeconds":259200}'),
  ('plaid', '{"from":"content"}', null),
  ('retell', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('sellsy', '{"from":"content"}', '{"from":"content","withinSeconds":86400}'),
  ('supabase', '{"from":"header","name":"idempotency-key"}', null),
  ('twilio', '[{"from":"header","name":"i-twilio-idempotency-token"},{"from":"content"}]', '[{"from":"header","name":"i-twilio-idempotency-token"},{"from":"content","withinSeconds":60}]'),
  ('vonage', '[{"from":"body","path":"message_uuid"},{"from":"content"}]', '[{"from":"all","of":[{"from":"body","path":"message_uuid"},{"from":"body","path":"status"},{"from":"body","path":"timestamp"}]},{"from":"all","of":[{"from":"body","path":"message_uuid"},{"from":"body","path":"status"}]},{"from":"all","of":[{"from":"body","path":"message_uuid"},{"from":"body","path":"message_type"}]},{"from":"all","of":[{"from":"body","path":"uuid"},{"from":"body","path":"status"},{"from":"body","path":"timestamp"}]},{"from":"content","withinSeconds":86400}]'),
  ('webflow', '{"from":"content"}', '{"from":"content","withinSeconds":3600}'),
  ('woocommerce', '{"from":"content"}', '[{"from":"all","of":[{"from":"header","name":"x-wc-webhook-delivery-id"},{"from":"content"}]},{"from":"content","withinSeconds":3600}]')
) AS "rules"("provider", "before", "after")
WHERE "hooks"."provider" = "rules"."provider" AND "hooks"."dedupe"::jsonb = "rules"."before"::jsonb;
