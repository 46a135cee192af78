import { z } from "zod";
import { hintHeaders } from "#lib/core/sending/sealed-headers.ts";
import { receiverSettings } from "#lib/schema/send/receiver-settings.ts";
import { subscriptionStatuses } from "#lib/schema/send/subscription-status.ts";
import {
  type SubscriptionRecord,
  writeStatusReason,
} from "#lib/services/subscriptions/read-subscriptions.ts";
import type {
  CreatedSubscription,
  NewSubscription,
  UpdatedSubscription,
} from "#lib/services/subscriptions/subscription-rules.ts";
import { exactJson } from "#lib/web/route/api-json.ts";
import { pick, view } from "#lib/web/route/view.ts";

const secretSchema = z.object({
  id: z.string(),
  hint: z.string(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
});

const subscriptionSchema = z
  .object({
    id: z.string(),
    receiverUrl: z.string(),
    eventTypes: z.array(z.string()),
    filter: z.unknown().describe("What an event has to match, or null"),
    recipient: z.string().nullable(),
    description: z.string().nullable(),
    headers: z.record(z.string(), z.string()).describe("The last 4 characters of each value"),
    rateLimit: z.object({ count: z.int(), perSeconds: z.int() }).nullable(),
    maxConcurrency: z.int().nullable(),
    ordered: z.boolean(),
    keyPair: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    retry: z.object({ maxAttempts: z.int(), initialDelayMs: z.int(), maxDelayMs: z.int() }),
    timeoutMs: z.int(),
    version: z.string().describe("It gets the newest version of each event type up to this date"),
    credentialId: z.string().nullable().describe("The saved credential of its calls"),
    receiver: receiverSettings
      .nullable()
      .describe("Settings of a receiver that isn't a URL. Null: the defaults"),
    transform: z
      .string()
      .nullable()
      .describe(
        "JavaScript that makes an event into the body that is sent. Null: the event itself",
      ),
    status: z.enum(subscriptionStatuses),
    statusReason: z.string().nullable().describe("Why it isn't active"),
    failingSince: z.date().nullable().describe("Since when every call has failed"),
    secretHint: z.string().nullable().describe("The last 4 characters of the newest secret"),
    secrets: z.array(secretSchema).describe("Those that sign now, newest first"),
    publicKey: z.string().nullable().describe("The public key of its key pair"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Subscription" });

/** A subscription in the API's responses, with only hints of its secrets and headers. */
export const subscriptionView = view(
  subscriptionSchema,
  (subscription: SubscriptionRecord, { sealer }) => {
    const { statusReason } = subscription;
    const hmac = subscription.secrets.filter(({ kind }) => kind === "hmac");
    const pair = subscription.secrets.find(({ kind }) => kind === "ed25519");
    return pick(subscriptionSchema, {
      ...subscription,
      eventTypes: [...subscription.eventTypes],
      filter: exactJson(subscription.filter),
      headers: hintHeaders(sealer, subscription),
      statusReason: statusReason === null ? null : writeStatusReason(statusReason),
      secretHint: hmac[0]?.hint ?? null,
      secrets: hmac.map((secret) => pick(secretSchema, secret)),
      publicKey: pair?.publicKey ?? null,
    });
  },
);

/** A subscription with its new secret, which is shown once. */
export const newSubscriptionView = view(
  subscriptionSchema.extend({ secret: z.string() }).meta({ id: "NewSubscription" }),
  ({ subscription, secret }: NewSubscription, context) => ({
    ...subscriptionView.show(subscription, context),
    secret,
  }),
);

const warnings = z.array(z.string()).describe("What looks wrong, and what to do");

/** A new subscription with its secret, and a warning if it is the second one to its receiver. */
export const createdSubscriptionView = view(
  subscriptionSchema.extend({ secret: z.string(), warnings }).meta({ id: "CreatedSubscription" }),
  ({ firstId, ...made }: CreatedSubscription, context) => ({
    ...newSubscriptionView.show(made, context),
    warnings: listWarnings(firstId),
  }),
);

/** A changed subscription, and a warning if its new URL makes it the second one to its receiver. */
export const updatedSubscriptionView = view(
  subscriptionSchema.extend({ warnings }).meta({ id: "UpdatedSubscription" }),
  ({ firstId, ...changed }: UpdatedSubscription, context) => ({
    ...subscriptionView.show(changed, context),
    warnings: listWarnings(firstId),
  }),
);

function listWarnings(firstId: string | null): string[] {
  if (firstId === null) return [];
  return [
    `Subscription ${firstId} has the same receiver URL and recipient. The receiver gets events that ` +
      "match both twice. To send them once, add the event types to the first one and delete this one.",
  ];
}
