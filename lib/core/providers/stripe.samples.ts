import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.stripe.com/api/events */
export const stripeSamples: SampleEvents = [
  {
    type: "checkout.session.completed",
    make: (fresh) => event(fresh, "checkout.session.completed", checkoutSession(fresh)),
  },
  {
    type: "payment_intent.succeeded",
    make: (fresh) => event(fresh, "payment_intent.succeeded", paymentIntent(fresh)),
  },
  { type: "invoice.paid", make: (fresh) => event(fresh, "invoice.paid", invoice(fresh)) },
];

function event(fresh: Fresh, type: string, object: object): SampleContent {
  return {
    json: {
      id: `evt_1${fresh.text(23)}`,
      object: "event",
      api_version: "2025-03-31.basil",
      created: fresh.seconds,
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: `req_${fresh.text(14)}`, idempotency_key: fresh.uuid() },
      type,
    },
  };
}

const address = {
  city: "Portland",
  country: "US",
  line1: "1200 Morrison Street",
  line2: null,
  postal_code: "97205",
  state: "OR",
};

function checkoutSession(fresh: Fresh): object {
  return {
    id: `cs_test_a1${fresh.text(56)}`,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: null,
    amount_subtotal: 4200,
    amount_total: 4200,
    automatic_tax: { enabled: false, liability: null, status: null },
    billing_address_collection: null,
    cancel_url: "https://shop.example.com/cart",
    client_reference_id: "order_1042",
    created: fresh.seconds - 95,
    currency: "usd",
    customer: `cus_${fresh.text(14)}`,
    customer_creation: "always",
    customer_details: {
      address,
      email: "jenny.rosen@example.com",
      name: "Jenny Rosen",
      phone: null,
      tax_exempt: "none",
      tax_ids: [],
    },
    customer_email: null,
    expires_at: fresh.seconds + 86_305,
    invoice: null,
    livemode: false,
    locale: null,
    metadata: { order_id: "1042" },
    mode: "payment",
    payment_intent: `pi_3${fresh.text(23)}`,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_types: ["card"],
    payment_status: "paid",
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: "complete",
    submit_type: null,
    subscription: null,
    success_url: "https://shop.example.com/thanks?session={CHECKOUT_SESSION_ID}",
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted",
    url: null,
  };
}

function paymentIntent(fresh: Fresh): object {
  return {
    id: `pi_3${fresh.text(23)}`,
    object: "payment_intent",
    amount: 4200,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 4200,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: "always", enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    confirmation_method: "automatic",
    created: fresh.seconds - 4,
    currency: "usd",
    customer: `cus_${fresh.text(14)}`,
    description: "Order 1042",
    last_payment_error: null,
    latest_charge: `ch_3${fresh.text(23)}`,
    livemode: false,
    metadata: { order_id: "1042" },
    next_action: null,
    on_behalf_of: null,
    payment_method: `pm_1${fresh.text(23)}`,
    payment_method_types: ["card"],
    processing: null,
    receipt_email: "jenny.rosen@example.com",
    setup_future_usage: null,
    shipping: { address, carrier: null, name: "Jenny Rosen", phone: null, tracking_number: null },
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}

function invoice(fresh: Fresh): object {
  const [subscription, invoiceId] = [`sub_1${fresh.text(23)}`, `in_1${fresh.text(23)}`];
  const period = { end: fresh.seconds + 2_592_000, start: fresh.seconds };
  return {
    id: invoiceId,
    object: "invoice",
    account_country: "US",
    account_name: "Example Shop",
    amount_due: 2900,
    amount_paid: 2900,
    amount_remaining: 0,
    attempt_count: 1,
    attempted: true,
    auto_advance: false,
    billing_reason: "subscription_cycle",
    collection_method: "charge_automatically",
    created: fresh.seconds - 3_600,
    currency: "usd",
    customer: `cus_${fresh.text(14)}`,
    customer_address: address,
    customer_email: "jenny.rosen@example.com",
    customer_name: "Jenny Rosen",
    due_date: null,
    ending_balance: 0,
    hosted_invoice_url: `https://invoice.stripe.com/i/acct_example/test_${fresh.text(16)}`,
    lines: {
      object: "list",
      data: [
        {
          id: `il_1${fresh.text(23)}`,
          object: "line_item",
          amount: 2900,
          currency: "usd",
          description: "1 × Team plan (at $29.00 / month)",
          discountable: true,
          invoice: invoiceId,
          livemode: false,
          metadata: {},
          parent: {
            subscription_item_details: {
              proration: false,
              subscription,
              subscription_item: `si_${fresh.text(14)}`,
            },
            type: "subscription_item_details",
          },
          period,
          pricing: {
            price_details: { price: `price_1${fresh.text(23)}`, product: `prod_${fresh.text(14)}` },
            type: "price_details",
            unit_amount_decimal: "2900",
          },
          quantity: 1,
        },
      ],
      has_more: false,
      total_count: 1,
      url: `/v1/invoices/${invoiceId}/lines`,
    },
    livemode: false,
    metadata: {},
    number: `EXAMPLE-${fresh.digits(4)}`,
    parent: { subscription_details: { metadata: {}, subscription }, type: "subscription_details" },
    period_end: fresh.seconds,
    period_start: fresh.seconds - 2_592_000,
    starting_balance: 0,
    status: "paid",
    status_transitions: {
      finalized_at: fresh.seconds - 30,
      marked_uncollectible_at: null,
      paid_at: fresh.seconds,
      voided_at: null,
    },
    subtotal: 2900,
    total: 2900,
  };
}
