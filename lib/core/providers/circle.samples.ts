import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.circle.com/api-reference/webhooks */
export const circleSamples: SampleEvents = [
  {
    type: "transactions.inbound",
    make: (fresh) => transaction(fresh, "transactions.inbound", "CONFIRMED"),
  },
  {
    type: "transactions.outbound",
    make: (fresh) => transaction(fresh, "transactions.outbound", "SENT"),
  },
];

function transaction(fresh: Fresh, notificationType: string, state: string): SampleContent {
  return {
    json: {
      subscriptionId: fresh.uuid(),
      notificationId: fresh.uuid(),
      notificationType,
      notification: {
        id: "c4d1da72-111e-4d52-bdbf-2e74a2d803d5",
        blockchain: "MATIC-AMOY",
        walletId: fresh.uuid(),
        tokenId: fresh.uuid(),
        amounts: ["42"],
        state,
        createDate: fresh.isoSeconds,
        updateDate: fresh.isoSeconds,
      },
      timestamp: fresh.iso,
      version: 2,
    },
  };
}
