import { newId } from "#lib/base/ids.ts";
import { toContentKey, toEventKey } from "#lib/core/sending/event-id.ts";
import type { NewEvent } from "#lib/db/events/store-events.ts";

type EventFields = Partial<Pick<NewEvent, "type" | "recipient" | "warning" | "occurredAtMs">> & {
  /** The id that a publisher gives. */
  readonly publicId?: string;
  readonly dataJson?: string;
};

/** An event that is ready to be stored, with a key if it has an id of its own. */
export function newEvent(
  accountId: string,
  { publicId, dataJson = "1", ...fields }: EventFields = {},
): NewEvent {
  const id = newId();
  const event = {
    accountId,
    type: "invoice.paid",
    recipient: null,
    occurredAtMs: null,
    warning: null,
    ...fields,
  };
  return {
    ...event,
    id,
    publicId: publicId ?? id,
    body: `{"id":"${publicId ?? id}","data":${dataJson}}`,
    key: publicId === undefined ? null : toEventKey(accountId, publicId),
    content: publicId === undefined ? null : toContentKey({ ...event, dataJson }),
  };
}
