import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://www.courier.com/docs/platform/workspaces/outbound-webhooks */
export const courierSamples: SampleEvents = [
  {
    type: "message:updated",
    make: (fresh) => ({
      json: messageUpdated(fresh, { status: "DELIVERED", delivered: fresh.nowMs }),
    }),
  },
];

function messageUpdated(fresh: Fresh, changes: object): object {
  return {
    type: "message:updated",
    data: {
      id: `1-${fresh.hex(8)}-${fresh.hex(24)}`,
      event: "ORDER_CONFIRMATION",
      recipient: "order-1042",
      enqueued: fresh.nowMs - 2_000,
      sent: fresh.nowMs - 1_000,
      ...changes,
    },
  };
}
