import type { IdentifiableRequest } from "#lib/core/verify/dedupe/content-hash.ts";
import {
  type EventIdentity,
  type IdentitySource,
  identifyEvent,
  readEventType,
} from "#lib/core/verify/dedupe/identify-event.ts";
import type { HookPublish } from "#lib/schema/receive/hook.ts";
import type { BatchRule } from "./batch-rule.ts";
import { type BatchEvent, splitBatch } from "./split-batch.ts";

/** The rules by which a hook finds the events in a request. */
export type EventRules = {
  readonly dedupe: readonly IdentitySource[];
  readonly eventType: readonly IdentitySource[];
  /** The form field that is the whole event. Null: the provider has none. */
  readonly payloadField: string | null;
  /** Null: a body is one event. */
  readonly batch: BatchRule | null;
  /** The signature covers the identity, so replays of the same bytes need no key of their own. */
  readonly isIdentitySigned: boolean;
  /** Null: the hook doesn't publish the deliveries that it accepts. */
  readonly publish: HookPublish | null;
};

export type FoundEvents = {
  /** The identity of the request as a single event. */
  readonly whole: EventIdentity & {
    readonly eventType: string | null;
    readonly replayHash: Buffer | null;
  };
  /** The events of a batch. Null: not a batch. */
  readonly parts: readonly BatchEvent[] | null;
};

/** @param hashSigned hashes the signed text. Undefined: no replay protection. */
export function findEvents(
  rules: EventRules,
  request: IdentifiableRequest,
  hashSigned: (() => Buffer) | undefined,
): FoundEvents {
  const identity = identifyEvent(rules.dedupe, request);
  const { keyHash, withinSeconds } = identity;
  // The content of a request without a body is its URL, which the signature of a body leaves out.
  const isSigned = rules.isIdentitySigned && request.body.byteLength > 0;
  const isKnown = hashSigned === undefined || (keyHash !== null && isSigned);
  const replayHash = isKnown ? null : hashSigned();
  const whole = { ...identity, replayHash, eventType: readEventType(rules.eventType, request) };
  if (rules.batch === null) return { whole, parts: null };
  const batch = { keyHash, replayHash, ...(withinSeconds !== undefined && { withinSeconds }) };
  const split = splitBatch(rules.batch, request.payload, batch, request.body);
  return { whole, parts: split.kind === "events" ? split.events : null };
}
