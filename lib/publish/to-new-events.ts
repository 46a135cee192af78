import { newId } from "#lib/base/ids.ts";
import { toDerivedId } from "#lib/core/sending/event-id.ts";
import type { PublishedEvent } from "#lib/core/sending/read-published-event.ts";
import { describeMismatch, type EventCheck } from "#lib/core/sending/schema-finding.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import type { NewEvent } from "#lib/db/events/store-events.ts";
import type { PublishTarget } from "./publish-target.ts";

export type PublishedRequest = {
  readonly accountId: string;
  readonly target: PublishTarget;
  /** Identifies events without an id of their own. */
  readonly idempotencyKey: string | null;
  /** The time of events without one of their own. */
  readonly receivedAtMs: number;
};

/** @param checks one per event, or none */
export function toNewEvents(
  { accountId, target, idempotencyKey, receivedAtMs }: PublishedRequest,
  events: readonly PublishedEvent[],
  checks: readonly EventCheck[],
): readonly NewEvent[] {
  return events.map((event, index) => {
    const place = target === "event" ? null : index;
    const derivedId = idempotencyKey === null ? null : toDerivedId(idempotencyKey, place);
    const givenId = event.publicId ?? derivedId;
    const { finding, version } = checks[index] ?? { finding: null, version: null };
    const warning = finding === null ? null : describeMismatch(finding);
    const arrival = { id: newId(), accountId, givenId, receivedAtMs, warning };
    return toNewEvent(arrival, { ...event, version });
  });
}
