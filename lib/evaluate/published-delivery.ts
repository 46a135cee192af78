import { newId } from "#lib/base/ids.ts";
import type { HookEvent } from "#lib/core/sending/hook-event.ts";
import { toEventBody } from "#lib/core/sending/read-published-event.ts";
import type { PublishedDelivery } from "#lib/db/deliveries/published-deliveries.ts";

/**
 * The event that a delivery becomes if it is accepted. Undefined: its hook doesn't publish events.
 */
export function toPublishedDelivery(
  event: HookEvent | undefined,
  receivedAtMs: number,
): PublishedDelivery | undefined {
  if (event === undefined) return undefined;
  const { type, recipient, warning } = event;
  const id = newId();
  return {
    id,
    type,
    recipient,
    warning,
    body: toEventBody(id, receivedAtMs, { ...event, version: null }),
  };
}
