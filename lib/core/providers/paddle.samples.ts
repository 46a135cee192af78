import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.paddle.com/webhooks/overview */
export const paddleSamples: SampleEvents = [
  {
    type: "transaction.completed",
    make: (fresh) => event(fresh, "transaction.completed", transaction(fresh)),
  },
  {
    type: "subscription.created",
    make: (fresh) => event(fresh, "subscription.created", subscription(fresh)),
  },
];

function id(fresh: Fresh, prefix: string): string {
  return `${prefix}_01${fresh.text(24).toLowerCase()}`;
}

function event(fresh: Fresh, eventType: string, data: object): SampleContent {
  return {
    json: {
      event_id: id(fresh, "evt"),
      event_type: eventType,
      occurred_at: fresh.iso,
      notification_id: id(fresh, "ntf"),
      data,
    },
  };
}

function price(fresh: Fresh): object {
  return {
    id: id(fresh, "pri"),
    product_id: id(fresh, "pro"),
    name: "Monthly",
    description: "Team plan, monthly",
    type: "standard",
    status: "active",
    billing_cycle: { interval: "month", frequency: 1 },
    trial_period: null,
    tax_mode: "account_setting",
    unit_price: { amount: "2900", currency_code: "USD" },
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 100 },
    custom_data: null,
  };
}

function transaction(fresh: Fresh): object {
  const totals = {
    subtotal: "2900",
    discount: "0",
    tax: "580",
    total: "3480",
    grand_total: "3480",
    fee: "224",
    earnings: "2676",
    balance: "0",
    credit: "0",
    currency_code: "USD",
  };
  return {
    id: id(fresh, "txn"),
    status: "completed",
    origin: "web",
    customer_id: id(fresh, "ctm"),
    address_id: id(fresh, "add"),
    business_id: null,
    subscription_id: id(fresh, "sub"),
    invoice_id: id(fresh, "inv"),
    invoice_number: `325-${fresh.digits(5)}`,
    collection_mode: "automatic",
    currency_code: "USD",
    discount_id: null,
    custom_data: { order_id: "1042" },
    items: [{ quantity: 1, price: price(fresh), proration: null }],
    details: {
      totals,
      tax_rates_used: [
        { tax_rate: "0.2", totals: { subtotal: "2900", discount: "0", tax: "580", total: "3480" } },
      ],
      line_items: [],
    },
    payments: [
      {
        payment_attempt_id: fresh.uuid(),
        amount: "3480",
        status: "captured",
        error_code: null,
        captured_at: fresh.iso,
        method_details: {
          type: "card",
          card: { type: "visa", last4: "4242", expiry_month: 8, expiry_year: 2031 },
        },
      },
    ],
    checkout: { url: "https://shop.example.com/checkout" },
    billed_at: fresh.iso,
    created_at: fresh.iso,
    updated_at: fresh.iso,
  };
}

function subscription(fresh: Fresh): object {
  const next = new Date(fresh.nowMs + 30 * 86_400_000).toISOString();
  return {
    id: id(fresh, "sub"),
    status: "active",
    transaction_id: id(fresh, "txn"),
    customer_id: id(fresh, "ctm"),
    address_id: id(fresh, "add"),
    business_id: null,
    currency_code: "USD",
    collection_mode: "automatic",
    billing_cycle: { interval: "month", frequency: 1 },
    current_billing_period: { starts_at: fresh.iso, ends_at: next },
    next_billed_at: next,
    scheduled_change: null,
    discount: null,
    custom_data: null,
    items: [
      {
        status: "active",
        quantity: 1,
        recurring: true,
        price: price(fresh),
        trial_dates: null,
        previously_billed_at: fresh.iso,
        next_billed_at: next,
      },
    ],
    first_billed_at: fresh.iso,
    started_at: fresh.iso,
    paused_at: null,
    canceled_at: null,
    created_at: fresh.iso,
    updated_at: fresh.iso,
  };
}
