/** Alert channels and rules, as exchanged by the API and the forms. */
import { z } from "zod";
import { timeZones } from "#lib/schema/account/account.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { displayName, isDistinct, pageFields, recordId } from "#lib/schema/field/common.ts";
import { problemKind } from "#lib/schema/watch/problem.ts";

export const channelKinds = ["email", "slack", "discord", "teams", "pagerduty", "url"] as const;
export type ChannelKind = (typeof channelKinds)[number];

export const alertEvents = ["opened", "acknowledged", "reminder", "resolved", "digest"] as const;
export type AlertEvent = (typeof alertEvents)[number];

export const alertStates = ["held", "waiting", "sent", "failed", "digested", "dropped"] as const;
export type AlertState = (typeof alertStates)[number];

const url = z
  .string({ error: "must be a URL" })
  .trim()
  .max(2_048, "must have at most 2048 characters")
  .regex(/^https?:\/\//i, "must start with https:// or http://");

const routingKey = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{32}$/, "must be the integration key of Events API v2: 32 characters");

const pagerDutyUrl = "https://events.pagerduty.com/v2/enqueue";

const channelName = displayName.describe("The name in lists, rules, and problems");

const newChannel = {
  name: channelName,
  problems: z
    .array(problemKind)
    .refine(...isDistinct("must not name a kind twice"))
    .optional()
    .describe(
      "The kinds of problems that it is told about. Omitted: all if it is the first, or else none",
    ),
};

/** `POST /alert-channels`. Its URL and keys are write-only: stored encrypted, never returned. */
export const channelInputSchema = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ ...newChannel, kind: z.literal("email"), to: emailSchema }),
    z.strictObject({ ...newChannel, kind: z.enum(["slack", "discord", "teams"]), url }),
    z.strictObject({
      ...newChannel,
      kind: z.literal("pagerduty"),
      routingKey,
      url: url.default(pagerDutyUrl),
    }),
    z.strictObject({ ...newChannel, kind: z.literal("url"), url }),
  ],
  { error: `must be one of ${channelKinds.join(", ")}` },
);
export type ChannelInput = z.output<typeof channelInputSchema>;

/** `PATCH /alert-channels/{id}`. The kind never changes. */
export const channelPatchSchema = z.strictObject({
  name: channelName.optional(),
  to: emailSchema.optional(),
  url: url.optional(),
  routingKey: routingKey.optional(),
});

/** The sealed part of a channel. */
export const channelSecretsSchema = z.object({
  url: z.string(),
  routingKey: z.string().optional(),
  /** Signs calls to a URL. */
  secret: z.string().optional(),
});
export type ChannelSecrets = z.output<typeof channelSecretsSchema>;

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

export const quietHoursSchema = z
  .strictObject({
    from: clock.describe("When they begin, such as `22:00`"),
    to: clock.describe("When they end. Before `from`: on the next day"),
    timeZone: z
      .string()
      .refine((name) => timeZones.includes(name), "must be an IANA time zone such as Europe/Berlin")
      .describe("The IANA time zone of both, such as `Europe/Berlin`"),
    weekends: z
      .boolean()
      .default(false)
      .describe("True: Saturdays and Sundays are quiet as a whole"),
  })
  .refine(({ from, to }) => from !== to, brokenRule("conflict", "must not begin when they end"));
export type QuietHours = z.output<typeof quietHoursSchema>;

export const digests = ["off", "hourly", "daily"] as const;
export type Digest = (typeof digests)[number];

const ruleFields = {
  kind: problemKind,
  /** The number of occurrences. */
  threshold: z.int().min(1, "must be 1 or more").max(1_000_000, "must be 1,000,000 or less"),
  withinSeconds: z.int().min(60, "must be 60 or more").max(86_400, "must be 86,400 or less"),
  channelIds: z
    .array(recordId)
    .max(20, "must have at most 20 items")
    .refine(...isDistinct("must not name a channel twice")),
  quietHours: quietHoursSchema.nullable(),
  digest: z.enum(digests, { error: `must be one of ${digests.join(", ")}` }),
  remindMinutes: z
    .int()
    .min(5, "must be 5 or more")
    .max(10_080, "must be 10,080 or less")
    .nullable(),
  enabled: z.boolean().describe("False: it tells no one"),
};

/** `POST /alert-rules`. */
export const ruleInputSchema = z.strictObject({
  ...ruleFields,
  threshold: ruleFields.threshold.default(1),
  withinSeconds: ruleFields.withinSeconds.default(600),
  quietHours: ruleFields.quietHours.default(null),
  digest: ruleFields.digest.default("off"),
  remindMinutes: ruleFields.remindMinutes.default(null),
  enabled: ruleFields.enabled.default(true),
});
export type RuleInput = z.output<typeof ruleInputSchema>;

/** `PATCH /alert-rules/{id}`. */
export const rulePatchSchema = z.strictObject(ruleFields).omit({ kind: true }).partial();

/** `GET /alert-channels`, `GET /alert-rules`. */
export const alertPageSchema = z.strictObject(pageFields);
