import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.adyen.com/development-resources/webhooks/webhook-types/ */
export const adyenSamples: SampleEvents = [
  { type: "AUTHORISATION", make: (fresh) => item(fresh, "AUTHORISATION") },
  { type: "CAPTURE", make: (fresh) => item(fresh, "CAPTURE", fresh.hex(16).toUpperCase()) },
];

function item(fresh: Fresh, eventCode: string, originalReference?: string): SampleContent {
  const NotificationRequestItem = {
    additionalData: {},
    amount: { currency: "EUR", value: 1000 },
    eventCode,
    eventDate: new Date(fresh.nowMs).toISOString(),
    merchantAccountCode: "ExampleMerchant",
    merchantReference: `order-${fresh.digits(6)}`,
    ...(originalReference === undefined ? {} : { originalReference }),
    paymentMethod: "visa",
    pspReference: fresh.hex(16).toUpperCase(),
    success: "true",
  };
  return { json: { live: "false", notificationItems: [{ NotificationRequestItem }] } };
}

/** Two events about the same object. */
export const adyenConsecutive: Consecutive = (fresh) => {
  const item = (eventCode: string, more: object) => ({
    json: {
      live: "false",
      notificationItems: [
        {
          NotificationRequestItem: {
            eventCode,
            pspReference: "8825408195409505",
            success: "true",
            merchantAccountCode: "ExampleMerchant",
            amount: { currency: "EUR", value: 1000 },
            eventDate: fresh.iso,
            ...more,
          },
        },
      ],
    },
  });
  return { two: [item("AUTHORISATION", {}), item("CANCELLATION", { originalReference: "1" })] };
};
