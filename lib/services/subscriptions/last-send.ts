import { toTestEventId } from "#lib/db/events/event-record.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";

/** The newest send of a subscription, as its explanation needs it. */
export function toLastSend({ status, httpStatus, reason, eventId, internalEventId }: RunListItem) {
  const isTest = internalEventId !== null && eventId === toTestEventId(internalEventId);
  return { status, httpStatus, detail: reason?.detail ?? null, isTest };
}
