import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

const messageStore = "/restapi/v1.0/account/400131426008/extension/400131426008/message-store";

/** https://developers.ringcentral.com/guide/notifications/webhooks/receiving */
export const ringcentralSamples: SampleEvents = [
  {
    type: messageStore,
    make: (fresh) => ({ json: messageEvent(fresh, "1") }),
  },
];

function messageEvent(fresh: Fresh, version: string): object {
  return {
    uuid: fresh.uuid(),
    event: messageStore,
    timestamp: fresh.iso,
    subscriptionId: "1b8f3c1e-7f5c-4d0f-9f3a-3f6a1f0f5b7d",
    ownerId: "400131426008",
    body: {
      accountId: 400_131_426_008,
      extensionId: 400_131_426_008,
      lastUpdated: fresh.iso,
      changes: [{ type: "SMS", newCount: 1, updatedCount: 0 }],
      version,
    },
  };
}
