import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks */
export const cashfreeSamples: SampleEvents = [
  { type: "PAYMENT_SUCCESS_WEBHOOK", make: (fresh) => ({ json: payment(fresh, "SUCCESS") }) },
  { type: "PAYMENT_FAILED_WEBHOOK", make: (fresh) => ({ json: payment(fresh, "FAILED") }) },
];

function payment(fresh: Fresh, status: string): object {
  return {
    data: {
      order: { order_id: "order_1042", order_amount: 42, order_currency: "INR", order_tags: null },
      payment: {
        cf_payment_id: String(fresh.digits(10)),
        payment_status: status,
        payment_amount: 42,
        payment_currency: "INR",
        payment_message: status === "SUCCESS" ? "Transaction successful" : "Transaction failed",
        payment_time: fresh.isoSeconds,
        payment_group: "upi",
      },
      customer_details: { customer_id: "1042", customer_email: "jenny.rosen@example.com" },
    },
    event_time: fresh.isoSeconds,
    type: `PAYMENT_${status}_WEBHOOK`,
  };
}
