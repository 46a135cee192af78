import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const jenny = { first_name: "Jenny", last_name: "Rosen", email: "jenny.rosen@example.com" };

/** https://docs.lemonsqueezy.com/help/webhooks/example-payloads */
export const lemonSqueezySamples: SampleEvents = [
  {
    type: "order_created",
    make: (fresh) =>
      lemonEvent(fresh, "order_created", "orders", {
        store_id: 12_345,
        customer_id: fresh.digits(6),
        identifier: fresh.uuid(),
        order_number: fresh.digits(4),
        user_name: "Jenny Rosen",
        user_email: jenny.email,
        currency: "USD",
        currency_rate: "1.0000",
        subtotal: 2900,
        discount_total: 0,
        tax: 0,
        total: 2900,
        subtotal_formatted: "$29.00",
        total_formatted: "$29.00",
        tax_name: null,
        tax_rate: "0.00",
        status: "paid",
        status_formatted: "Paid",
        refunded: false,
        refunded_at: null,
        first_order_item: {
          id: fresh.digits(6),
          product_id: 1,
          variant_id: 2,
          product_name: "Team plan",
          variant_name: "Monthly",
          price: 2900,
          quantity: 1,
          test_mode: true,
        },
      }),
  },
  {
    type: "subscription_created",
    make: (fresh) =>
      lemonEvent(fresh, "subscription_created", "subscriptions", {
        store_id: 12_345,
        customer_id: fresh.digits(6),
        order_id: fresh.digits(6),
        product_id: 1,
        variant_id: 2,
        product_name: "Team plan",
        variant_name: "Monthly",
        user_name: "Jenny Rosen",
        user_email: jenny.email,
        status: "active",
        status_formatted: "Active",
        card_brand: "visa",
        card_last_four: "4242",
        pause: null,
        cancelled: false,
        trial_ends_at: null,
        billing_anchor: 21,
        renews_at: new Date(fresh.nowMs + 30 * 86_400_000).toISOString(),
        ends_at: null,
      }),
  },
];

function lemonEvent(
  fresh: Fresh,
  eventName: string,
  type: string,
  attributes: object,
): SampleContent {
  const id = String(fresh.digits(6));
  return {
    headers: { "x-event-name": eventName },
    json: {
      meta: {
        test_mode: true,
        event_name: eventName,
        webhook_id: fresh.uuid(),
        custom_data: { order_id: "1042" },
      },
      data: {
        type,
        id,
        attributes: {
          ...attributes,
          test_mode: true,
          created_at: fresh.iso,
          updated_at: fresh.iso,
        },
        relationships: {},
        links: { self: `https://api.lemonsqueezy.com/v1/${type}/${id}` },
      },
    },
  };
}
