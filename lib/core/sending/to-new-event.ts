import { toContentKey, toEventKey } from "./event-id.ts";
import { type PublishedEvent, toEventBody } from "./read-published-event.ts";

type Arrival = {
  /** UUIDv7. */
  readonly id: string;
  readonly accountId: string;
  /** The id that the publisher gave, or one that its key gave. Null: neither. */
  readonly givenId: string | null;
  /** The time of an event without one of its own. */
  readonly receivedAtMs: number;
  readonly warning: string | null;
};

/** An event as it is stored. Without an id of its publisher, it is never a duplicate. */
export function toNewEvent(
  { id, accountId, givenId, receivedAtMs, warning }: Arrival,
  event: PublishedEvent,
) {
  const { type, recipient, occurredAtMs } = event;
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
    warning,
  };
}
