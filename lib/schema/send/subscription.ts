/** A subscription, as exchanged by the API, the forms, the portal, and the database. */

import { z } from "zod";
import { eventFilterSchema } from "#lib/schema/act/action-filter.ts";
import { actionOptions } from "#lib/schema/act/action-options.ts";
import { hasDistinctNames, toAsciiHost } from "#lib/schema/act/action-request.ts";
import { headerName } from "#lib/schema/act/request-auth.ts";
import { retryScheduleSchema } from "#lib/schema/act/retry-schema.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import {
  filterText,
  hasAtMost,
  instant,
  isDistinct,
  pageFields,
  recordId,
  shortText,
} from "#lib/schema/field/common.ts";
import { rateLimitSchema } from "#lib/schema/field/rate-limit.ts";
import { eventTypeName, eventTypePattern } from "./event-type.ts";
import { pinnedVersion } from "./payload-version.ts";
import { receiverSettings } from "./receiver-settings.ts";
import { metadata, recipientId } from "./recipient.ts";
import { subscriptionStatuses } from "./subscription-status.ts";
import { transformCode } from "./transform-code.ts";

/** The reason why a subscription isn't active: a code for programs, and a sentence for people. */
export type StatusReason = {
  readonly code: "manual" | "gone" | "failing" | "challenge";
  readonly detail: string;
};

/** `checkUrl` checks it against private networks. */
export const receiverUrl = z
  .string({ error: "must be a URL such as https://example.com/webhooks" })
  .trim()
  .min(1, "must not be empty")
  .max(2_048, "must have at most 2048 characters")
  .regex(/^https?:\/\//i, "must start with https:// or http://")
  .transform(toAsciiHost);

/** The URL of any kind of receiver. `checkReceiverUrl` checks it. */
const anyReceiverUrl = z.union(
  [
    z
      .string()
      .trim()
      .max(2_048)
      .regex(/^(?:amqp|kafka)s?:\/\//i),
    receiverUrl,
  ],
  {
    error:
      "must be a URL that starts with https://, http://, amqps://, amqp://, kafkas://, or kafka://",
  },
);

const eventTypes = z
  .array(eventTypePattern)
  .min(1, "must contain at least one event type, or *")
  .max(100, "at most 100 event types")
  .refine(...isDistinct("names an event type twice"));

/** A header of every call. Catchment sets `content-type`. */
const subscriptionHeaderName = headerName.refine(
  (text) => text.toLowerCase() !== "content-type",
  brokenRule("not_allowed", "is set by Catchment and can't be changed"),
);

const headerValue = z
  .string({ error: "must be text" })
  .max(4_096, "must have at most 4096 characters")
  .regex(/^[\x20-\x7e]*$/, "must be visible ASCII characters");

const maxHeaders = 50;
const distinctHeaders = [
  hasDistinctNames,
  brokenRule("duplicate", "the same header appears twice, in different letter case"),
] as const;

const headers = z
  .record(subscriptionHeaderName, headerValue)
  .refine(...hasAtMost(maxHeaders, `at most ${maxHeaders} headers`))
  .refine(...distinctHeaders);

/**
 * Null removes a header. Values aren't shown, so changing one header must not require the others.
 */
const headerChanges = z
  .record(subscriptionHeaderName, headerValue.nullable())
  .refine(...hasAtMost(maxHeaders, `at most ${maxHeaders} headers`))
  .refine(...distinctHeaders);

/** `whsec_` and base64 of 24 to 64 bytes: https://www.standardwebhooks.com. */
export const signingSecret = z
  .string({ error: "must be text" })
  .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, "must be whsec_ followed by base64")
  .refine((text) => {
    const bytes = decodedBytes(text.slice("whsec_".length));
    return bytes >= 24 && bytes <= 64;
  }, "must be whsec_ followed by base64 of 24 to 64 bytes");

const { timeoutMs, maxConcurrency } = actionOptions;

const fields = {
  receiverUrl: anyReceiverUrl,
  eventTypes,
  filter: eventFilterSchema.nullable(),
  description: shortText({ min: 0, max: 200 })
    .nullable()
    .describe("What it is for, in a few words"),
  rateLimit: rateLimitSchema.nullable(),
  maxConcurrency: z
    .int()
    .min(maxConcurrency.min, `must be at least ${maxConcurrency.min}`)
    .max(maxConcurrency.max, `must be at most ${maxConcurrency.max}`)
    .nullable(),
  ordered: z.boolean({ error: "must be true or false" }),
  /** Signs with Ed25519 (`v1a`) too. */
  keyPair: z.boolean({ error: "must be true or false" }),
  metadata,
  /** Null: the default schedule. */
  retry: retryScheduleSchema.nullable(),
  timeoutMs: z
    .int()
    .min(timeoutMs.min, `must be at least ${timeoutMs.min}`)
    .max(timeoutMs.max, `must be at most ${timeoutMs.max}`)
    .describe("How long a call may take as a whole, in milliseconds"),
  version: pinnedVersion.describe(
    "It gets the newest version of each event type up to this date. Or `first`, or `newest` for future versions too",
  ),
  credentialId: recordId
    .nullable()
    .describe(
      "The saved credential of its calls, which says what kind of receiver it has. Null: none",
    ),
  receiver: receiverSettings
    .nullable()
    .describe("Settings of a receiver that isn't a URL. Null: the defaults"),
  transform: transformCode
    .nullable()
    .describe("JavaScript that makes an event into the body that is sent. Null: the event itself"),
};

/** `POST /subscriptions`. */
export const subscriptionInputSchema = z.strictObject({
  receiverUrl: fields.receiverUrl,
  eventTypes: fields.eventTypes.default(["*"]),
  filter: fields.filter.default(null),
  recipient: recipientId.nullable().default(null),
  description: fields.description.default(null),
  headers: headers.default({}),
  rateLimit: fields.rateLimit.default(null),
  maxConcurrency: fields.maxConcurrency.default(null),
  ordered: fields.ordered.default(false),
  keyPair: fields.keyPair.default(false),
  metadata: fields.metadata.default({}),
  retry: fields.retry.default(null),
  timeoutMs: fields.timeoutMs.default(timeoutMs.default),
  /** Omitted: the newest version of all event types. */
  version: fields.version.optional(),
  credentialId: fields.credentialId.default(null),
  receiver: fields.receiver.default(null),
  transform: fields.transform.default(null),
  /** Omitted: a new secret is created. */
  secret: signingSecret.optional(),
});
export type SubscriptionInput = z.output<typeof subscriptionInputSchema>;

/**
 * `PATCH /subscriptions/{id}`: omitted fields stay unchanged, and so do headers that `headers`
 * doesn't name. The recipient can't change, because past sends belong to it.
 */
export const subscriptionPatchSchema = z.strictObject({
  receiverUrl: fields.receiverUrl.optional(),
  eventTypes: fields.eventTypes.optional(),
  filter: fields.filter.optional(),
  description: fields.description.optional(),
  headers: headerChanges.nullable().optional(),
  rateLimit: fields.rateLimit.optional(),
  maxConcurrency: fields.maxConcurrency.optional(),
  ordered: fields.ordered.optional(),
  keyPair: fields.keyPair.optional(),
  metadata: fields.metadata.optional(),
  retry: fields.retry.optional(),
  timeoutMs: fields.timeoutMs.optional(),
  version: fields.version.optional(),
  credentialId: fields.credentialId.optional(),
  receiver: fields.receiver.optional(),
  transform: fields.transform.optional(),
});
export type SubscriptionPatch = z.output<typeof subscriptionPatchSchema>;

/**
 * The fields that a recipient's people can set in the portal. Only the account sets filters,
 * headers, limits, and transforms.
 */
const portalFields = {
  receiverUrl: true,
  eventTypes: true,
  description: true,
  keyPair: true,
  version: true,
} as const;
export const portalSubscriptionSchema = subscriptionInputSchema
  .pick(portalFields)
  .extend({ receiverUrl })
  .transform((input): SubscriptionInput => subscriptionInputSchema.parse(input));
export const portalSubscriptionPatchSchema = subscriptionPatchSchema
  .pick(portalFields)
  .extend({ receiverUrl: receiverUrl.optional() });

/** `POST /subscriptions/check-transform`: what its transform would get, and the transform. */
export const transformCheckSchema = z.strictObject({
  transform: transformCode.describe("JavaScript that makes an event into the body that is sent"),
  eventTypes: fields.eventTypes.default(["*"]),
  recipient: recipientId
    .nullable()
    .default(null)
    .describe("Whose events. Null: events without a recipient"),
  filter: fields.filter.default(null),
  version: fields.version
    .optional()
    .describe("The version that it gets. Omitted: the newest of all event types"),
});
export type TransformCheckInput = z.output<typeof transformCheckSchema>;

/** `GET /subscriptions?…`. */
export const subscriptionQuerySchema = z.strictObject({
  ...pageFields,
  recipient: recipientId.optional().describe("Only subscriptions of this recipient"),
  status: z
    .enum(subscriptionStatuses, { error: `must be one of ${subscriptionStatuses.join(", ")}` })
    .optional()
    .describe("Only subscriptions of this status"),
  eventType: eventTypeName.optional().describe("Only subscriptions that get events of this type"),
  q: filterText.optional().describe("Text in the receiver URL, the description, or the recipient"),
});
export type SubscriptionQuery = z.output<typeof subscriptionQuerySchema>;

const weekSeconds = 604_800;

/** `POST /subscriptions/{id}/secrets`. */
export const subscriptionSecretSchema = z.strictObject({
  /** Omitted: a new secret is created. */
  secret: signingSecret.optional(),
  expirePreviousAfterSeconds: z
    .int("must be a whole number of seconds")
    .min(0, "must be at least 0, which ends the previous secrets at once")
    .max(weekSeconds, `must be at most ${weekSeconds} (7 days)`)
    .default(86_400)
    .describe("How long the previous secrets also sign. 0 ends them now"),
});

/** `POST /subscriptions/{id}/test`. */
export const testEventSchema = z.strictObject({
  eventType: eventTypeName
    .optional()
    .describe(
      "The type of the event. Omitted: the subscription's first one that isn't a pattern, or `test.event`",
    ),
});

/** `POST /subscriptions/{id}/recover` and `/replay-missing`. */
export const sinceSchema = z.strictObject({
  since: instant.describe(
    "Events from this time on, in ISO 8601 with a zone, or a date alone, which is midnight UTC",
  ),
});

function decodedBytes(base64: string): number {
  const chars = base64.replace(/=+$/, "").length;
  return chars % 4 === 1 ? 0 : Math.floor((chars * 3) / 4);
}
