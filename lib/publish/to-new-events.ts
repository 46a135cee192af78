import { toContentKey, toDerivedId, toEventKey } from "#lib/core/sender/event-id.ts";
import { type PublishedEvent, toEventBody } from "#lib/core/sender/read-published-event.ts";
import type { NewEvent } from "#lib/db/events/store-events.ts";
import { newId } from "#lib/ids.ts";
import type { PublishTarget } from "./publish-target.ts";

export type PublishedRequest = {
  readonly accountId: string;
  readonly target: PublishTarget;
  /** Identifies events without an id of their own. */
  readonly idempotencyKey: string | null;
  /** The time of events without one of their own. */
  readonly receivedAtMs: number;
};

/** @param warnings one per event */
export function toNewEvents(
  { accountId, target, idempotencyKey, receivedAtMs }: PublishedRequest,
  events: readonly PublishedEvent[],
  warnings: readonly (string | null)[],
): readonly NewEvent[] {
  return events.map((event, index) => {
    const id = newId();
    const { type, recipient, occurredAtMs } = event;
    const place = target === "event" ? null : index;
    const derivedId = idempotencyKey === null ? null : toDerivedId(idempotencyKey, place);
    const givenId = event.publicId ?? derivedId;
    const publicId = givenId ?? id;
    return {
      id,
      accountId,
      publicId,
      type,
      recipient,
      occurredAtMs,
      body: toEventBody(publicId, occurredAtMs ?? receivedAtMs, event),
      key: givenId === null ? null : toEventKey(accountId, givenId),
      content: givenId === null ? null : toContentKey(event),
      warning: warnings[index] ?? null,
    };
  });
}
