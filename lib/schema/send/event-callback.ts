/** MCP Events (SEP-3415): what AI assistants ask for, and the limits of it. */
import { z } from "zod";
import { eventTypeName } from "./event-type.ts";
import { recipientId } from "./recipient.ts";
import { receiverUrl, signingSecret } from "./subscription.ts";

/** For how long a callback lasts, in seconds. Its client renews it before. */
const callbackSeconds = { least: 300, usual: 86_400, most: 30 * 86_400 } as const;
export const maxCallbacks = 200;

/** What a subscription is about, beside its event type. */
const eventArguments = z.strictObject({ recipient: recipientId.optional() }).default({});

const cursor = z.string().max(8_000).nullish();
const maxAgeMs = z.int().min(0).nullish();

export const listEventsSchema = z.object({ cursor: z.string().max(1_000).nullish() });

export const pollEventsSchema = z.object({
  name: eventTypeName,
  arguments: eventArguments,
  cursor,
  maxAgeMs,
  maxEvents: z.int().min(1).nullish(),
});

export const subscribeEventsSchema = z.object({
  name: eventTypeName,
  arguments: eventArguments,
  delivery: z.object({
    mode: z.string().default("webhook"),
    url: receiverUrl,
    secret: signingSecret,
  }),
  cursor,
  maxAgeMs,
  /** What the client suggests. Null: no end. */
  ttlMs: z.number().positive().nullish(),
});

export const unsubscribeEventsSchema = z.object({
  name: eventTypeName,
  arguments: eventArguments,
  delivery: z.object({ url: receiverUrl }),
});

/** The lifetime that a callback gets. An end that is asked to be none is the latest one. */
export function grantSeconds(ttlMs: number | null | undefined): number {
  if (ttlMs === undefined) return callbackSeconds.usual;
  if (ttlMs === null) return callbackSeconds.most;
  const { least, most } = callbackSeconds;
  return Math.min(most, Math.max(least, Math.floor(ttlMs / 1_000)));
}
