import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.fastspring.com/reference/webhooks-overview */
export const fastspringSamples: SampleEvents = [
  {
    type: "order.completed",
    make: (fresh) => ({ json: { events: [order(fresh, "order.completed")] } }),
  },
];

function order(fresh: Fresh, type: string): object {
  return {
    id: fresh.text(22),
    processed: false,
    created: fresh.nowMs,
    type,
    live: false,
    data: {
      order: "YLzjkQxNSXGdSkTmBxZL4w",
      reference: "EXA200102-1042-55101",
      currency: "USD",
      total: 42,
      completed: true,
      customer: { first: "Jenny", last: "Rosen", email: "jenny.rosen@example.com" },
    },
  };
}
