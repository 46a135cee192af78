import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

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
