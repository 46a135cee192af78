import type { PrepareInput } from "#lib/core/build-request/prepare-call.ts";
import { timeOfId } from "#lib/ids.ts";
import type { ActionFilter } from "#lib/schema/action/action-filter.ts";

export type FilteredEvent = {
  readonly id: string;
  readonly publicId: string;
  readonly type: string;
  readonly body: Uint8Array;
};

/** For a subscription's filter alone, which reads an event like a delivery's payload. */
export function toFilterInput(
  { id, publicId, type, body }: FilteredEvent,
  filter: ActionFilter,
  nowMs: number,
): PrepareInput {
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
    hook: { id: "", name: "" },
    filter,
    ...nothingToBuild,
    nowMs,
  };
}

/** A filter is evaluated without the request of an action. */
export const nothingToBuild = {
  request: {
    method: "GET",
    url: "",
    headers: {},
    query: {},
    body: null,
    bodyText: null,
    forward: null,
  },
  auth: null,
  runId: "",
  version: "",
  nowMs: 0,
  builds: "never",
} as const;
