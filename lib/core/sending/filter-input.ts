import { timeOfId } from "#lib/base/ids.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { PrepareInput } from "#lib/core/mapping/build-request/prepare-call.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";

/** An event as filters and transforms need it. */
export type EventView = {
  readonly id: string;
  readonly publicId: string;
  readonly type: string;
  readonly body: Uint8Array;
};

/** An event as filters and transforms read it: like a delivery whose payload it is. */
export function toEventDelivery({ id, publicId, type, body }: EventView) {
  const delivery: DeliveryView = {
    id,
    receivedAtMs: timeOfId(id),
    method: "POST",
    path: "",
    query: "",
    headers: [],
    contentType: "application/json",
    eventId: publicId,
    eventType: type,
    isSample: false,
    body,
  };
  return { delivery, hook: { id: "", name: "", payloadField: null } };
}

/** The input of a subscription's filter. */
export function toFilterInput(
  event: EventView,
  filter: ActionFilter,
  nowMs: number,
): PrepareInput<{ readonly kind: "nothing" }> {
  return {
    ...toEventDelivery(event),
    filter,
    need: { kind: "nothing" },
    nowMs,
    builds: "when_matched",
  };
}
