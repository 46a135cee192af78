import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.fireblocks.com/reference/webhook-notification-structure */
export const fireblocksSamples: SampleEvents = [
  { type: "transaction.created", make: (fresh) => event(fresh, "transaction.created") },
  {
    type: "transaction.status.updated",
    make: (fresh) => event(fresh, "transaction.status.updated"),
  },
];

const transaction = "7a1f0f2e-6a52-4c1b-9a61-2f8f0d2b7c10";

function event(fresh: Fresh, eventType: string): SampleContent {
  return {
    json: {
      id: fresh.uuid(),
      resourceId: transaction,
      workspaceId: "1c0d4d1e-5c1c-4f7c-9a4a-6b2d8d1f7e10",
      eventType,
      createdAt: fresh.nowMs,
      data: { id: transaction, assetId: "XRP_TEST", status: "COMPLETED" },
    },
  };
}
