/** A hook, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { bodyPath, displayName, exactText, isDistinct } from "#lib/schema/field/common.ts";
import { dedupeRuleSchema, eventTypeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { hookReplySchema } from "#lib/schema/receive/hook-reply.ts";
import { hookCorsSchema, hookResponseSchema } from "#lib/schema/receive/hook-response.ts";
import { hookSilenceSchema } from "#lib/schema/receive/hook-silence.ts";
import { hookStorageInput, hookStoragePatch } from "#lib/schema/receive/hook-storage.ts";
import { hookVerificationSchema } from "#lib/schema/receive/verification.ts";
import { eventTypeName } from "#lib/schema/send/event-type.ts";

export const catchMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const methods = z
  .array(z.enum(catchMethods, { error: `must be ${catchMethods.join(", ")}` }))
  .min(1, "must allow at least one method")
  .max(catchMethods.length, "names a method twice")
  .refine(...isDistinct("names a method twice"));

/** The status as stored. */
export const hookStateSchema = z.enum(["active", "paused", "disabled"]);
export type HookState = z.output<typeof hookStateSchema>;

/** The status as shown and set. An active hook that awaits its first secret is `pending`. */
export const hookStatusSchema = z.enum([...hookStateSchema.options, "pending"], {
  error: 'must be "active", "paused", "disabled" or "pending"',
});
export type HookStatus = z.output<typeof hookStatusSchema>;

const hookName = displayName.describe("The name in lists and alerts");
const secret = exactText({ min: 1, max: 4096 });
const provider = z
  .string({ error: "must be the id of a provider" })
  .max(64, "must be the id of a provider");

/** Null: the provider's default. */
const replayProtection = z.boolean({ error: "must be true, false, or null" }).nullable().optional();

const keyPrefix = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    "must be 1 to 40 lowercase letters, digits, and inner hyphens, like orders. It is part of the catch URL",
  );

/**
 * A readable last segment of the catch URL. It never looks like a generated one, so that the two
 * can't collide.
 */
const hookPath = z
  .string({ error: "must be text, or null" })
  .regex(
    /^[a-z0-9_-]{1,64}$/,
    "must be 1 to 64 lowercase letters, digits, hyphens, and underscores, like stripe",
  )
  .refine(
    (path) => !/(?:^|-)[0-9a-hjkmnp-tv-z]{24,}$/.test(path),
    "must not end like a generated URL, with 24 or more letters and digits in a row: use a shorter word",
  );

/** The largest difference between the signed time and ours, in both directions. */
const toleranceSeconds = z
  .int("must be a whole number of seconds, or null")
  .min(1, "must be at least 1 s")
  .max(86_400, "must be at most 86400 s (a day)");

/** The hook's rate limit in requests per second. Bursts of twice as many pass. */
const ratePerSecond = z
  .int("must be a whole number of requests per second, or null")
  .min(1, "must be at least 1")
  .max(100_000, "must be at most 100000");

/** Publishes every accepted delivery as an event. Null fields have a default. */
export const hookPublishSchema = z
  .strictObject(
    {
      eventType: eventTypeName
        .nullable()
        .default(null)
        .describe(
          "The type of the events. Null: the delivery's own type in dotted lower-case words, or `webhook.received`",
        ),
      recipientPath: bodyPath
        .nullable()
        .default(null)
        .describe(
          "The path of the recipient in the payload, such as `customer.id`. Null: events without a recipient",
        ),
      content: z
        .enum(["payload", "data"], { error: 'must be "payload", "data", or null' })
        .nullable()
        .default(null)
        .describe(
          "The part that becomes the event's `data`. Null: `data` of `{id, type, data: {…}}`, or the payload",
        ),
    },
    { error: "must be an object with eventType, recipientPath, and content, or null" },
  )
  .meta({ id: "HookPublish" });
export type HookPublish = z.output<typeof hookPublishSchema>;

/** `POST /hooks`. Rules that depend on the provider are checked on save. */
export const hookInputSchema = z.strictObject({
  name: hookName,
  provider: provider.default("generic"),
  /**
   * `pending`: deliveries are stored unverified until the secret is added. Without this and without
   * a secret they are rejected.
   */
  status: z.enum(["active", "pending"], { error: 'must be "active" or "pending"' }).optional(),
  signingSecret: secret.optional(),
  verification: hookVerificationSchema.nullable().optional(),
  dedupe: dedupeRuleSchema.optional(),
  eventType: eventTypeRuleSchema.optional(),
  methods: methods.default(["POST"]),
  response: hookResponseSchema.nullable().default(null),
  splitBatches: z.boolean({ error: "must be true or false" }).default(true),
  toleranceSeconds: toleranceSeconds.nullable().default(null),
  replayProtection,
  ratePerSecond: ratePerSecond.nullable().default(null),
  publish: hookPublishSchema.nullable().default(null),
  cors: hookCorsSchema.nullable().default(null),
  silence: hookSilenceSchema.prefault({}),
  ...hookStorageInput,
  /** A readable start of the catch URL's last segment. A random part follows it. */
  keyPrefix: keyPrefix.optional(),
  /** The whole last segment of the catch URL, for hooks that verify. Null: it is generated. */
  path: hookPath.nullable().default(null),
});
export type HookInput = z.output<typeof hookInputSchema>;

/**
 * `PATCH /hooks/{id}`: omitted fields stay unchanged. A `signingSecret` immediately replaces all
 * others; null deletes them.
 */
export const hookPatchSchema = z.strictObject({
  name: hookName.optional(),
  status: hookStatusSchema.optional(),
  provider: provider.optional(),
  signingSecret: secret.nullable().optional(),
  verification: hookVerificationSchema.nullable().optional(),
  dedupe: dedupeRuleSchema.optional(),
  eventType: eventTypeRuleSchema.optional(),
  methods: methods.optional(),
  response: hookResponseSchema.nullable().optional(),
  splitBatches: z.boolean({ error: "must be true or false" }).optional(),
  toleranceSeconds: toleranceSeconds.nullable().optional(),
  replayProtection,
  ratePerSecond: ratePerSecond.nullable().optional(),
  publish: hookPublishSchema.nullable().optional(),
  cors: hookCorsSchema.nullable().optional(),
  silence: hookSilenceSchema.optional(),
  ...hookStoragePatch,
  /** A new hook has no action that could reply. */
  reply: hookReplySchema.nullable().optional(),
  /** The current URL keeps working for a day. Null: a generated one. */
  path: hookPath.nullable().optional(),
});
export type HookPatch = z.output<typeof hookPatchSchema>;

const weekSeconds = 7 * 86_400;
const monthSeconds = 30 * 86_400;
export const dayOfOverlap = 86_400;

/**
 * `POST /hooks/{id}/catch-url`. Longer than for a secret: other people may have to change their
 * settings.
 */
export const catchUrlRotationSchema = z.strictObject({
  keyPrefix: keyPrefix.optional(),
  expirePreviousAfterSeconds: z
    .int("must be a whole number of seconds")
    .min(0, "must be at least 0, which ends the previous URL at once")
    .max(monthSeconds, `must be at most ${monthSeconds} (30 days)`)
    .default(dayOfOverlap)
    .describe("How long the previous URL still works. 0 ends it now"),
});

/**
 * `POST /hooks/{id}/secrets`. By default the old secret stays valid for a day, so that no event is
 * lost.
 */
export const secretRotationSchema = z.strictObject({
  secret: secret.describe("The new signing secret, as the provider shows it"),
  expirePreviousAfterSeconds: z
    .int("must be a whole number of seconds")
    .min(0, "must be at least 0, which ends the previous secrets at once")
    .max(weekSeconds, `must be at most ${weekSeconds} (7 days)`)
    .default(dayOfOverlap)
    .describe("How long earlier secrets stay valid. 0 ends them now"),
});

/** `DELETE /hooks/{id}`. */
export const deleteHookSchema = z.strictObject({
  removeRegistration: z
    .boolean("must be true or false")
    .optional()
    .describe("True: the webhook that Catchment keeps at the provider is removed too"),
});
