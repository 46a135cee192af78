import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.squarespace.com/webhooks/overview */
export const squarespaceSamples: SampleEvents = [
  { type: "order.create", make: (fresh) => order(fresh, "order.create") },
  { type: "order.update", make: (fresh) => order(fresh, "order.update") },
];

function order(fresh: Fresh, topic: string): SampleContent {
  return {
    json: {
      id: fresh.hex(24),
      websiteId: "5f3c3d55ac435e1a051f77b3",
      subscriptionId: "5f3c2155d947844beedda991",
      topic,
      createdOn: fresh.iso,
      data: { orderId: "5f3c2155d947844beedda992" },
    },
  };
}
