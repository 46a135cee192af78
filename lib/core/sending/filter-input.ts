import { timeOfId } from "#lib/base/ids.ts";
import type { PrepareInput } from "#lib/core/mapping/build-request/prepare-call.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";

type FilteredEvent = {
  readonly id: string;
  readonly publicId: string;
  readonly type: string;
  readonly body: Uint8Array;
};

/** The input of a subscription's filter, which reads an event like a delivery's payload. */
export function toFilterInput(
  { id, publicId, type, body }: FilteredEvent,
  filter: ActionFilter,
  nowMs: number,
): PrepareInput<{ readonly kind: "nothing" }> {
  return {
    delivery: {
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
    },
    hook: { id: "", name: "", payloadField: null },
    filter,
    need: { kind: "nothing" },
    nowMs,
    builds: "when_matched",
  };
}
