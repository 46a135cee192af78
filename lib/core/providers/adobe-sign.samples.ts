import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://opensource.adobe.com/acrobat-sign/developer_guide/webhookapis.html */
export const adobeSignSamples: SampleEvents = [
  { type: "AGREEMENT_CREATED", make: (fresh) => ({ json: agreement(fresh, "AGREEMENT_CREATED") }) },
  {
    type: "AGREEMENT_WORKFLOW_COMPLETED",
    make: (fresh) => ({ json: agreement(fresh, "AGREEMENT_WORKFLOW_COMPLETED") }),
  },
];

function agreement(fresh: Fresh, event: string): object {
  return {
    webhookId: "4f6a1b2c-example",
    webhookName: "Orders",
    webhookNotificationId: fresh.text(36),
    webhookUrlInfo: { url: "https://hooks.example.com/adobe" },
    webhookScope: "ACCOUNT",
    event,
    eventDate: fresh.isoSeconds,
    eventResourceType: "agreement",
    actingUserEmail: "jenny.rosen@example.com",
    agreement: {
      id: "CBJCHBCAABAAexample",
      name: "Order 1042",
      status: event === "AGREEMENT_WORKFLOW_COMPLETED" ? "SIGNED" : "OUT_FOR_SIGNATURE",
    },
  };
}
