import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://docs.cdp.coinbase.com/api-reference/v2/webhooks/webhook-wallet-activity-detected,
 * https://docs.cdp.coinbase.com/api-reference/v2/webhooks/webhook-onramp-transaction-failed
 */
export const coinbaseCdpSamples: SampleEvents = [
  {
    type: "wallet.activity.detected",
    make: (fresh) => activity(fresh, "wallet.activity.detected"),
  },
  {
    type: "onchain.activity.detected",
    make: (fresh) => activity(fresh, "onchain.activity.detected"),
  },
  {
    type: "onramp.transaction.updated",
    make: (fresh) => transaction(fresh, fresh.uuid()),
  },
];

function transaction(fresh: Fresh, transactionId: string): SampleContent {
  const amount = { currency: "USD", value: "5.00" };
  return {
    headers: { "x-event-id": fresh.uuid(), "x-event-type": "onramp.transaction.updated" },
    json: {
      eventType: "onramp.transaction.updated",
      transactionId,
      status: "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS",
      purchaseCurrency: "USDC",
      purchaseNetwork: "ethereum",
      purchaseAmount: amount,
      paymentTotal: amount,
      coinbaseFee: amount,
      networkFee: amount,
      createdAt: fresh.isoSeconds,
      country: "US",
      paymentMethod: "CARD",
      type: "ONRAMP_TRANSACTION_TYPE_BUY_AND_SEND",
      partnerUserRef: "example_user_ref",
    },
  };
}

function activity(fresh: Fresh, eventType: string): SampleContent {
  return {
    headers: { "x-event-id": fresh.uuid(), "x-event-type": eventType },
    json: {
      eventId: fresh.uuid(),
      eventType,
      timestamp: fresh.isoSeconds,
      data: {
        network: "base-mainnet",
        blockNumber: "12345678",
        blockTimestamp: fresh.isoSeconds,
        transactionHash: `0x${fresh.hex(64)}`,
        logIndex: "0",
        contractAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        eventName: "Transfer",
      },
    },
  };
}
