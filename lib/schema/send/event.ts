/** Events as publishers send them. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { instant } from "#lib/schema/field/common.ts";
import { eventTypeName } from "./event-type.ts";
import { versionName } from "./payload-version.ts";
import { recipientId } from "./recipient.ts";

export const eventLimits = {
  idChars: 128,
  /** The maximum size of one published event, in bytes. */
  bytes: 1024 * 1024,
  batchEvents: 1000,
  batchBytes: 10 * 1024 * 1024,
} as const;

const idChars = `must have at most ${eventLimits.idChars} characters`;

/** An id has no dot: the signature joins id, time, and body with dots. */
export const publicEventId = z
  .string({ error: "must be text" })
  .min(1, "must not be empty")
  .max(eventLimits.idChars, idChars)
  .regex(/^[A-Za-z0-9_:-]+$/, "must contain only letters, digits, and _ : -")
  .refine((id) => !["batch", "export"].includes(id), {
    error: ({ input }) => `must not be "${input}", which is a path of the API`,
  });

export const publishedEventSchema = z.strictObject({
  type: eventTypeName.describe("The event type, such as `invoice.paid`"),
  data: z
    .custom<unknown>((value) => value !== undefined, brokenRule("required", "must be there"))
    .describe("Any JSON. Receivers get its exact bytes"),
  id: publicEventId
    .nullish()
    .describe("Your own id of the event. A second event with it isn't published. Null: a new one"),
  recipient: recipientId
    .nullish()
    .describe("The customer whose subscriptions get it. Null: subscriptions without a recipient"),
  /** Parsed to Unix milliseconds. */
  occurredAt: instant.nullish().describe("When it happened, in ISO 8601. Null: now"),
  version: versionName
    .nullish()
    .describe("The version of its type that `data` is in. Null: the newest"),
});

export const publishedBatchSchema = z.strictObject({
  events: z
    .array(publishedEventSchema, { error: "must be a list of events" })
    .min(1, "must have at least one event")
    .max(eventLimits.batchEvents, `must have at most ${eventLimits.batchEvents} events`)
    .describe("The events. Each gets a result of its own"),
});
