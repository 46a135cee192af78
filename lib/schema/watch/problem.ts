/** A problem, as stored and as exchanged by the API and the pages. */
import { z } from "zod";
import { pageFields, recordId, shortText } from "#lib/schema/field/common.ts";

export const problemKinds = [
  "action_failing",
  "rejected",
  "silence",
  "shape",
  "missing_events",
  "subscription_failing",
  "audit_failing",
  "disk",
  "spool",
  "archive",
  "clock",
  "database",
  "registration",
  "quota",
  "certificate",
] as const;
export type ProblemKind = (typeof problemKinds)[number];
export const problemKind = z.enum(problemKinds, {
  error: `must be one of ${problemKinds.join(", ")}`,
});

export const problemStates = ["open", "acknowledged", "resolved"] as const;
export type ProblemState = (typeof problemStates)[number];

/**
 * Why a problem is over. `muted`: its failures were muted. `deleted`: what it was about is gone. `disabled`: its
 * action or subscription was disabled.
 */
export const problemResolutions = ["recovered", "manual", "muted", "deleted", "disabled"] as const;
export type ProblemResolution = (typeof problemResolutions)[number];

const shapeChange = z.object({
  path: z.string().describe("Such as `data.object.amount`"),
  change: z.enum(["missing", "type", "new"]),
  before: z.string().nullable().describe("The type that it had. Null: it is new"),
  after: z.string().nullable().describe("The type that it has. Null: it is missing"),
});

/** The details of a problem by its kind, stored as JSON. */
export const problemDetailsSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("action_failing"),
      message: z.string().nullable().describe("The last failure in a sentence"),
    }),
    z.object({
      kind: z.literal("subscription_failing"),
      message: z.string().nullable().describe("The last failure in a sentence"),
    }),
    z.object({
      kind: z.literal("audit_failing"),
      host: z.string().describe("The host of the receiver of the audit log"),
      message: z.string().describe("The last failure in a sentence"),
    }),
    z.object({
      kind: z.literal("rejected"),
      message: z.string().nullable().describe("The message in the response to the provider"),
    }),
    z.object({
      kind: z.literal("silence"),
      message: z
        .string()
        .describe(
          "Such as: Usually about 40 an hour on Sundays from 11:00 to 14:00 UTC, nothing for 3 hours",
        ),
      usualPerHour: z.number(),
      earlierWeeks: z
        .array(z.number())
        .default([])
        .describe("Deliveries per hour in the same hours of earlier weeks, newest first"),
      expectEveryMinutes: z.number().nullable().default(null).describe("The hook's setting"),
      silentSince: z.string().nullable().default(null).describe("ISO 8601"),
      lastDeliveryAt: z.string().nullable().describe("ISO 8601. Of the last accepted delivery"),
      isOnlyRejected: z.boolean().describe("Deliveries arrive, but all are rejected"),
      rejectedCount: z.int().default(0).describe("Until the problem opened, counted up to 1,000"),
    }),
    z.object({
      kind: z.literal("shape"),
      eventType: z.string().nullable(),
      changes: z.array(shapeChange),
      actions: z
        .array(
          z.object({
            id: z.string(),
            name: z.string(),
            paths: z.array(z.string()).describe("The changed fields that it reads"),
            readBy: z
              .array(z.string())
              .default([])
              .describe("Where: `body.amount`, `filter`, or `notify: url` in a step"),
          }),
        )
        .describe("The actions that read a changed field"),
    }),
    z.object({
      kind: z.literal("missing_events"),
      missing: z
        .int()
        .nullable()
        .describe("Events that never arrived. Null: the provider couldn't be asked"),
      message: z.string().describe("What is missing, or why it isn't known, in a sentence"),
    }),
    z.object({
      kind: z.literal("disk"),
      freeBytes: z.number(),
      totalBytes: z.number(),
      minFreeBytes: z.number().describe("Below it, deliveries are rejected"),
    }),
    z.object({
      kind: z.literal("spool"),
      waiting: z.int().describe("Accepted deliveries of all accounts that aren't stored yet"),
      oldestAt: z.string().nullable().describe("ISO 8601. When the oldest was accepted"),
      setAside: z.int().describe("Deliveries that can't be stored, and wait for the operator"),
      hosts: z.array(z.string()).describe("The machines whose spools they are in"),
      asideNames: z
        .array(z.string())
        .default([])
        .describe("The names of the first files that are set aside. None with RabbitMQ"),
    }),
    z.object({
      kind: z.literal("archive"),
      week: z.string().describe("The Monday of the oldest week that can't be archived"),
      message: z.string().describe("Why, in a sentence"),
    }),
    z.object({
      kind: z.literal("clock"),
      machines: z
        .array(
          z.object({
            host: z.string(),
            offsetSeconds: z.int().describe("How far its clock is off. Negative: it is behind"),
          }),
        )
        .describe("The machines whose clocks are off by over a minute"),
      refuses: z.boolean().describe("One is off by over an hour, and rejects deliveries"),
    }),
    z.object({
      kind: z.literal("registration"),
      provider: z.string().describe("The provider's name"),
      message: z.string().describe("Why the webhook can't be kept registered, in a sentence"),
    }),
    z.object({
      kind: z.literal("quota"),
      recipient: z.string(),
      used: z.int().describe("Sends of the day or month"),
      limit: z.int(),
      per: z.enum(["day", "month"]),
      whenUsedUp: z.enum(["delay", "refuse"]),
      resetsOn: z.string().describe("The first day of the next one, in UTC"),
    }),
    z.object({
      kind: z.literal("certificate"),
      credentialId: z.string(),
      name: z.string().describe("The name of the credential"),
      origin: z.string().describe("Where its calls go"),
      expiresAt: z.string().describe("ISO 8601"),
      hasExpired: z.boolean(),
    }),
    z.object({
      kind: z.literal("database"),
      seconds: z.int().describe("How long PostgreSQL was away. It is back"),
      deliveries: z.int().describe("Those of all accounts that the spool took meanwhile"),
    }),
  ])
  .meta({ id: "ProblemDetails" });
export type ProblemDetails = z.output<typeof problemDetailsSchema>;

/** `GET /problems?…`. */
export const problemQuerySchema = z.strictObject({
  ...pageFields,
  state: z
    .enum([...problemStates, "unresolved"], {
      error: `must be one of ${problemStates.join(", ")}, unresolved`,
    })
    .optional()
    .describe("Only problems in this state. `unresolved`: open or acknowledged"),
  kind: problemKind.optional().describe("Only problems of this kind"),
  hookId: recordId.optional().describe("Only problems of this hook"),
  actionId: recordId.optional().describe("Only problems of this action"),
  subscriptionId: recordId.optional().describe("Only problems of this subscription"),
});

/** `PATCH /problems/{id}`. Null: no one, and no comment. */
export const problemPatchSchema = z.strictObject({
  assigneeId: recordId
    .nullable()
    .optional()
    .describe("The id of the member who takes care of it. Null: no one"),
  comment: shortText({ max: 2_000 })
    .nullable()
    .optional()
    .describe("For the others, at most 2,000 characters. Null: none"),
});

/** A problem, as pages show it. */
export type ProblemFacts = {
  readonly kind: ProblemKind;
  readonly state: ProblemState;
  readonly hookId: string | null;
  readonly actionId: string | null;
  readonly subscriptionId: string | null;
  /** Names of what it is about, while that exists. */
  readonly hookName: string | null;
  readonly actionName: string | null;
  readonly receiverUrl: string | null;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
  /** An example. */
  readonly deliveryId: string | null;
  readonly runId: string | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly resolvedAt: Date | null;
  /** Null: it resolved itself, or is not resolved. */
  readonly resolvedBy: string | null;
  /** The member who takes care of it, and their name. */
  readonly assigneeId: string | null;
  readonly assignee: string | null;
  readonly comment: string | null;
  readonly commentedAt: Date | null;
  readonly commentedBy: string | null;
};
