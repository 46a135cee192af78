import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.midtrans.com/docs/https-notification-webhooks */
export const midtransSamples: SampleEvents = [
  { type: "settlement", make: (fresh) => payment(fresh, fresh.uuid(), "200", "settlement") },
  { type: "pending", make: (fresh) => payment(fresh, fresh.uuid(), "201", "pending") },
];

function payment(fresh: Fresh, id: string, code: string, status: string): SampleContent {
  return {
    json: {
      transaction_time: fresh.isoSeconds.replace("T", " ").slice(0, 19),
      transaction_status: status,
      transaction_id: id,
      status_message: "midtrans payment notification",
      status_code: code,
      payment_type: "bank_transfer",
      order_id: "order-1042",
      gross_amount: "42000.00",
      fraud_status: "accept",
      currency: "IDR",
    },
  };
}
