import {
  type EventIdentity,
  type IdentifiableRequest,
  type IdentitySource,
  identifyEvent,
  readEventType,
} from "#lib/core/dedupe/identify-event.ts";
import type { BatchRule } from "./batch-rule.ts";
import { type BatchEvent, splitBatch } from "./split-batch.ts";

/** How a hook finds the events in what it gets. */
export type EventRules = {
  readonly dedupe: readonly IdentitySource[];
  readonly eventType: readonly IdentitySource[];
  /** Null: a body is one event, whatever is in it. */
  readonly batch: BatchRule | null;
};

export type FoundEvents = {
  /** The identity of the request as one event, by the hook's rules. */
  readonly whole: EventIdentity & { readonly eventType: string | null };
  /** Those that its sender put together; null: it is one. */
  readonly parts: readonly BatchEvent[] | null;
};

/** What a request tells of. */
export function findEvents(rules: EventRules, request: IdentifiableRequest): FoundEvents {
  const { eventId, keyHash } = identifyEvent(rules.dedupe, request);
  const whole = { eventId, keyHash, eventType: readEventType(rules.eventType, request) };
  if (rules.batch === null) return { whole, parts: null };
  const split = splitBatch(rules.batch, request.payload, keyHash);
  return { whole, parts: split.kind === "events" ? split.events : null };
}
