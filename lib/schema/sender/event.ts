/** What a publisher sends, and the names of events, patterns, and recipients. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { instant } from "#lib/schema/field/common.ts";

export const eventLimits = {
  typeChars: 128,
  typeWords: 10,
  idChars: 128,
  /** Of one event, as published. */
  bytes: 1024 * 1024,
  batchEvents: 1000,
  batchBytes: 10 * 1024 * 1024,
} as const;

const words = String.raw`[a-z0-9_-]+(?:\.[a-z0-9_-]+){0,${eventLimits.typeWords - 1}}`;
const typeChars = `must have at most ${eventLimits.typeChars} characters`;

/** `invoice.paid`. */
export const eventTypeName = z
  .string({ error: "must be text such as invoice.paid" })
  .min(1, "must not be empty")
  .max(eventLimits.typeChars, typeChars)
  .regex(
    new RegExp(`^${words}$`),
    `must be up to ${eventLimits.typeWords} words of a-z, 0-9, _ and -, with dots between them, such as invoice.paid`,
  );

/** An event type, all that start with the same words (`invoice.*`), or all (`*`). */
export const eventTypePattern = z
  .string({ error: "must be text such as invoice.*" })
  .min(1, "must not be empty")
  .max(eventLimits.typeChars + 2, typeChars)
  .regex(
    new RegExp(String.raw`^(?:\*|${words}(?:\.\*)?)$`),
    "must be an event type such as invoice.paid, a prefix such as invoice.*, or *",
  );

const idChars = `must have at most ${eventLimits.idChars} characters`;

/** The account's own id of one of its customers. */
export const recipientId = z
  .string({ error: "must be text" })
  .min(1, "must not be empty")
  .max(eventLimits.idChars, idChars)
  .regex(/^[A-Za-z0-9_.:@-]+$/, "must contain only letters, digits, and _ . : @ -");

/** No dot: the signature joins id, time, and body with dots. */
export const publicEventId = z
  .string({ error: "must be text" })
  .min(1, "must not be empty")
  .max(eventLimits.idChars, idChars)
  .regex(/^[A-Za-z0-9_:-]+$/, "must contain only letters, digits, and _ : -");

export const publishedEventSchema = z.strictObject({
  type: eventTypeName,
  /** Any JSON value. Receivers get its exact bytes. */
  data: z.custom<unknown>((value) => value !== undefined, brokenRule("required", "must be there")),
  id: publicEventId.nullish(),
  recipient: recipientId.nullish(),
  /** Unix milliseconds. */
  occurredAt: instant.nullish(),
});

export const publishedBatchSchema = z.strictObject({
  events: z
    .array(publishedEventSchema, { error: "must be a list of events" })
    .min(1, "must have at least one event")
    .max(eventLimits.batchEvents, `must have at most ${eventLimits.batchEvents} events`),
});
