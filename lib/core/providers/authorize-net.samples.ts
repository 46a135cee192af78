import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.authorize.net/api/reference/features/webhooks.html */
export const authorizeNetSamples: SampleEvents = [
  {
    type: "net.authorize.payment.authcapture.created",
    make: (fresh) => ({ json: payment(fresh, "net.authorize.payment.authcapture.created") }),
  },
  {
    type: "net.authorize.payment.refund.created",
    make: (fresh) => ({ json: payment(fresh, "net.authorize.payment.refund.created") }),
  },
];

function payment(fresh: Fresh, eventType: string): object {
  return {
    notificationId: fresh.uuid(),
    eventType,
    eventDate: fresh.iso,
    webhookId: "a8a17f6f-79eb-49f4-a047-436db0938bbb",
    payload: {
      responseCode: 1,
      authCode: "EXA123",
      avsResponse: "Y",
      authAmount: 42,
      merchantReferenceId: "1042",
      entityName: "transaction",
      id: String(fresh.digits(11)),
    },
  };
}
