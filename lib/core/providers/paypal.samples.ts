import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.paypal.com/api/rest/webhooks/event-names/ */
export const paypalSamples: SampleEvents = [
  { type: "PAYMENT.CAPTURE.COMPLETED", make: (fresh) => capture(fresh) },
  { type: "BILLING.SUBSCRIPTION.ACTIVATED", make: (fresh) => subscription(fresh) },
];

const upper = (fresh: Fresh, length: number) => fresh.text(length).toUpperCase();

const usd = (value: string) => ({ currency_code: "USD", value });

function event(
  fresh: Fresh,
  type: string,
  resourceType: string,
  summary: string,
  resource: object,
): SampleContent {
  const id = `WH-${upper(fresh, 17)}-${upper(fresh, 17)}`;
  const self = `https://api.paypal.com/v1/notifications/webhooks-events/${id}`;
  return {
    json: {
      id,
      event_version: "1.0",
      create_time: fresh.iso,
      resource_type: resourceType,
      resource_version: "2.0",
      event_type: type,
      summary,
      resource,
      links: [
        { href: self, rel: "self", method: "GET" },
        { href: `${self}/resend`, rel: "resend", method: "POST" },
      ],
    },
  };
}

function capture(fresh: Fresh): SampleContent {
  const id = upper(fresh, 17);
  const summary = "Payment completed for $ 42.0 USD";
  return event(fresh, "PAYMENT.CAPTURE.COMPLETED", "capture", summary, {
    id,
    status: "COMPLETED",
    amount: usd("42.00"),
    final_capture: true,
    custom_id: "order-1042",
    invoice_id: "INV-1042",
    seller_protection: {
      status: "ELIGIBLE",
      dispute_categories: ["ITEM_NOT_RECEIVED", "UNAUTHORIZED_TRANSACTION"],
    },
    seller_receivable_breakdown: {
      gross_amount: usd("42.00"),
      paypal_fee: usd("1.96"),
      net_amount: usd("40.04"),
    },
    supplementary_data: { related_ids: { order_id: upper(fresh, 17) } },
    create_time: fresh.isoSeconds,
    update_time: fresh.isoSeconds,
    links: [
      { href: `https://api.paypal.com/v2/payments/captures/${id}`, rel: "self", method: "GET" },
    ],
  });
}

function subscription(fresh: Fresh): SampleContent {
  const id = `I-${upper(fresh, 12)}`;
  return event(fresh, "BILLING.SUBSCRIPTION.ACTIVATED", "subscription", "Subscription activated", {
    id,
    status: "ACTIVE",
    status_update_time: fresh.isoSeconds,
    plan_id: `P-${upper(fresh, 24)}`,
    start_time: fresh.isoSeconds,
    quantity: "1",
    subscriber: {
      name: { given_name: "Jenny", surname: "Rosen" },
      email_address: "jenny.rosen@example.com",
      payer_id: upper(fresh, 13),
    },
    billing_info: {
      outstanding_balance: usd("0.0"),
      last_payment: { amount: usd("29.0"), time: fresh.isoSeconds },
      next_billing_time: new Date(fresh.nowMs + 30 * 86_400_000).toISOString(),
      failed_payments_count: 0,
    },
    create_time: fresh.isoSeconds,
    links: [
      { href: `https://api.paypal.com/v1/billing/subscriptions/${id}`, rel: "self", method: "GET" },
    ],
  });
}
