import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://classic.paddle.com/webhook-reference/subscription-alerts/subscription-payment-succeeded/
 */
export const paddleClassicSamples: SampleEvents = [
  { type: "subscription_payment_succeeded", make: (fresh) => ({ form: payment(fresh) }) },
];

function payment(fresh: Fresh): Record<string, string> {
  return {
    alert_id: String(fresh.digits(10)),
    alert_name: "subscription_payment_succeeded",
    currency: "USD",
    email: "jenny.rosen@example.com",
    event_time: fresh.iso.slice(0, 19).replace("T", " "),
    order_id: "1042-55101",
    passthrough: "",
    plan_name: "Team plan – yearly",
    sale_gross: "42.00",
    status: "active",
    subscription_id: "250148",
    subscription_payment_id: String(fresh.digits(7)),
  };
}
