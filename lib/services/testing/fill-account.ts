import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { saveSenderSettings } from "#lib/services/account/sender-settings.ts";
import { createAction } from "#lib/services/actions/write-actions.ts";
import { createChannel } from "#lib/services/alerts/alert-channels.ts";
import { createRule } from "#lib/services/alerts/alert-rules.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { createDestination } from "#lib/services/destinations.ts";
import { createEventTypeVersion } from "#lib/services/event-type-versions.ts";
import { putEventType } from "#lib/services/event-types.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { createHook, updateHook } from "#lib/services/hooks/write-hooks.ts";
import { putMaskedFields } from "#lib/services/masked-fields.ts";
import { putRecipient } from "#lib/services/recipients.ts";
import { disableSubscription } from "#lib/services/subscriptions/subscription-status.ts";
import { createSubscription } from "#lib/services/subscriptions/write-subscriptions.ts";

const exact = '{"amount": 12345678901234567890.10, "id": "{{ delivery.body.id }}"}';

/** Something of every kind, with secrets, references, and a name that is there twice. */
export async function fillAccount(context: ServiceContext): Promise<void> {
  const origin = "https://api.example.com";
  const auth = { type: "bearer", token: "token-of-the-api" } as const;
  const credential = await createCredential(context, { name: "API", origin, auth });
  const destination = await createDestination(context, {
    name: "API",
    origin,
    credentialId: credential.id,
    rateLimit: { count: 5, perSeconds: 1 },
  });
  const stripe = await createHook(context, {
    name: "Payments",
    provider: "stripe",
    signingSecret: "whsec_0123456789abcdefghijABCDEFGHIJ01",
    ratePerSecond: 50,
  });
  await createHook(context, { name: "Orders" });
  const second = await createHook(context, { name: "Orders", methods: ["PUT"] });
  await updateHook(context, { id: second.hook.id, status: "paused" });
  const parsed = parseExactJson(exact);
  await createAction(context, {
    id: stripe.hook.id,
    name: "Forward",
    request: {
      method: "POST",
      url: "https://other.example.com/in",
      body: parsed.ok ? parsed.value : null,
      auth: { type: "header", name: "x-key", value: "key-of-the-call" },
    },
  });
  const steps = await createAction(context, {
    id: stripe.hook.id,
    name: "Book",
    steps: [
      { kind: "transform", key: "shape", code: "export default () => ({ a: 1 })" },
      {
        kind: "call",
        key: "book",
        request: {
          method: "POST",
          url: `${origin}/book`,
          destinationId: destination.id,
          auth: { type: "credential", credentialId: credential.id },
        },
        onFailure: {
          steps: [
            {
              kind: "call",
              key: "undo",
              request: { method: "DELETE", url: `${origin}/book`, destinationId: destination.id },
            },
          ],
        },
      },
    ],
  });
  const reply = { actionId: steps.id, body: "{{ steps.book.status }}" };
  await updateHook(context, { id: stripe.hook.id, reply });
  await putEventType(context, {
    name: "invoice.paid",
    schema: { type: "object", required: ["id"] },
    onMismatch: "reject",
  });
  await createEventTypeVersion(context, {
    name: "invoice.paid",
    version: "2026-03-01",
    schema: { type: "object", required: ["id", "total"] },
    example: { id: "in_1", total: 42 },
    note: "`total` is new.",
  });
  await putRecipient(context, { id: "cust_1", name: "First", metadata: { plan: "pro" } });
  await createSubscription(context, {
    receiverUrl: "https://customer.example.com/in",
    recipient: "cust_1",
    headers: { "x-tenant": "header-of-the-customer" },
    eventTypes: ["invoice.*"],
  });
  const all = await createSubscription(context, { receiverUrl: "https://all.example.com/in" });
  await disableSubscription(context, { id: all.subscription.id });
  await saveSenderSettings(context, { portalName: "Acme", challengeNewUrls: true });
  const slack = { name: "Slack", kind: "slack", url: "https://slack.example.com/T0" } as const;
  const { channel } = await createChannel(context, slack);
  await createChannel(context, { name: "Ours", kind: "url", url: "https://ops.example.com/a" });
  const channelIds = [channel.id];
  await createRule(context, { kind: "silence", channelIds, remindMinutes: 60 });
  await putMaskedFields(context, { fields: ["**.email", "card.*"] });
}
