/** A program that hears deliveries, as exchanged by the API. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import {
  displayName,
  instant,
  isDistinct,
  pageFields,
  recordId,
  shortText,
} from "#lib/schema/field/common.ts";

export const listenerLimits = {
  /** Deliveries that a connection has and hasn't acknowledged. */
  unacknowledged: 64,
  /** The largest body inside of a frame. */
  bodyBytes: 256 * 1024,
  hooks: 100,
  eventTypes: 100,
  /** Deliveries that a listener hears from a time on. */
  backlog: 10_000,
  /** Of an account. */
  listeners: 500,
  /** Of a listener that several programs share. */
  connections: 50,
  waitSeconds: 25,
} as const;

/** The time after which each side says that it is still there, in milliseconds. */
export const heartbeatMs = 15_000;

const from = z
  .union([z.literal("last"), z.literal("now"), instant], {
    error: "must be last, now, or a UTC time like 2026-11-21T08:00:00Z",
  })
  .default("last");

/** `POST /listeners`. */
export const listenerSchema = z
  .strictObject({
    name: displayName.optional(),
    host: shortText({ max: 253 }),
    hookIds: z
      .array(recordId)
      .max(listenerLimits.hooks, `must have at most ${listenerLimits.hooks} hooks`)
      .refine(...isDistinct("must not have a hook twice"))
      .default([]),
    filter: z
      .strictObject({
        eventTypes: z
          .array(shortText({ max: 200 }))
          .max(listenerLimits.eventTypes, `must have at most ${listenerLimits.eventTypes} types`)
          .refine(...isDistinct("must not have a type twice"))
          .default([])
          .describe("The event types to hear. Empty: all"),
      })
      .default({ eventTypes: [] })
      .describe("Which deliveries of its hooks to hear"),
    from,
    share: z.boolean().default(false),
    reply: z
      .boolean()
      .default(false)
      .describe("What the program responds is what the provider of its hooks gets"),
  })
  .superRefine(({ reply, hookIds, share }, context) => {
    const reject = (message: string) =>
      context.addIssue({
        code: "custom",
        path: ["reply"],
        ...brokenRule("not_allowed", message),
      });
    if (reply && hookIds.length === 0) reject("needs hookIds: the hooks to reply for");
    if (reply && share) reject("can't be shared: one program replies for a hook");
  });

export type ListenerInput = z.output<typeof listenerSchema>;

/** `GET /listeners?…`. */
export const listenerQuerySchema = z.strictObject({
  ...pageFields,
  hookId: recordId.optional().describe("Only listeners that hear this hook"),
});

/** The place of a delivery among those that its listener was handed: `12-<id of the delivery>`. */
const frameCursor = z
  .string({ error: "must be the cursor of a frame" })
  .regex(/^\d{1,18}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "must be the cursor of a frame")
  .transform((text) => {
    const end = text.indexOf("-");
    return { cursor: BigInt(text.slice(0, end)), deliveryId: text.slice(end + 1) };
  });

/** How frames name their place. */
export function writeCursor(cursor: bigint, deliveryId: string): string {
  return `${cursor}-${deliveryId}`;
}

const connection = z
  .uuid("must be the connectionId of POST /listeners")
  .describe("The `connectionId` that `POST /listeners` returned");

/** `GET /listeners/{id}/stream?…`. */
export const streamQuerySchema = z.strictObject({
  id: recordId,
  connection,
  cursor: frameCursor.optional(),
});

const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/, `must be a whole number up to ${max}`)
    .meta({ type: "integer", pattern: undefined, minimum: 0, maximum: max })
    .transform(Number)
    .refine((value) => value <= max, `must be a whole number up to ${max}`);

/** `GET /listeners/{id}/deliveries?…`. */
export const frameQuerySchema = streamQuerySchema.extend({
  limit: wholeNumber(listenerLimits.unacknowledged).default(listenerLimits.unacknowledged),
  wait: wholeNumber(listenerLimits.waitSeconds)
    .default(0)
    .describe("How many seconds to wait for a delivery, if there is none"),
});

const acknowledgment = z.strictObject({
  cursor: frameCursor.describe("The `cursor` of the delivery that is done"),
  status: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe("The status that your program responded with"),
  headers: z
    .array(z.tuple([z.string().max(256), z.string().max(8_192)]))
    .max(100)
    .optional()
    .describe("The headers of its response, as pairs of name and value"),
  bodyBase64: z
    .base64("must be base64")
    .max(88_000, "must have at most 64 KiB of bytes")
    .optional()
    .describe("The body of its response in base64, at most 64 KiB"),
  bodyBytes: z
    .int()
    .min(0)
    .max(1e12)
    .optional()
    .describe("The size of the whole body, of which `bodyBase64` may have the beginning"),
  ms: z.int().min(0).max(86_400_000).optional().describe("How many milliseconds the response took"),
});

/** `POST /listeners/{id}/acks`. */
export const acknowledgeSchema = z.strictObject({
  id: recordId,
  connection,
  acks: z
    .array(acknowledgment)
    .max(200, "must have at most 200 acknowledgments")
    .describe("The deliveries that are done. Empty: your program is still there"),
});

/** `POST /listeners/{id}/deliveries`. */
export const handOverSchema = z.strictObject({
  id: recordId,
  deliveryIds: z
    .array(recordId)
    .min(1, "must not be empty")
    .max(100, "must have at most 100 ids")
    .describe("The deliveries to hear again"),
});

/** `DELETE /listeners/{id}/connections/{connectionId}`. */
export const disconnectSchema = z.strictObject({ id: recordId, connectionId: recordId });
