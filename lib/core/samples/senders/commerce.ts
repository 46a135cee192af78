/** Shops, subscriptions and who has signed up. */
import type { Fresh } from "../fresh.ts";
import type { SampleContent, SampleEvents } from "../sample-event.ts";

const jenny = { first_name: "Jenny", last_name: "Rosen", email: "jenny.rosen@example.com" };

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#orders */
export const woocommerce: SampleEvents = [
  { type: "order.created", make: (fresh) => wooOrder(fresh, "order.created", "processing") },
  { type: "order.updated", make: (fresh) => wooOrder(fresh, "order.updated", "completed") },
];

function wooOrder(fresh: Fresh, topic: string, status: string): SampleContent {
  const [resource, event] = topic.split(".");
  const [id, at] = [fresh.digits(5), fresh.iso.slice(0, 19)];
  const address = {
    ...jenny,
    company: "",
    address_1: "1200 Morrison Street",
    address_2: "",
    city: "Portland",
    state: "OR",
    postcode: "97205",
    country: "US",
    phone: "+15035550100",
  };
  return {
    headers: {
      "user-agent": "WooCommerce/10.3.0 Hookshot (WordPress/6.8)",
      "x-wc-webhook-source": "https://shop.example.com/",
      "x-wc-webhook-topic": topic,
      "x-wc-webhook-resource": resource ?? "order",
      "x-wc-webhook-event": event ?? "created",
      "x-wc-webhook-id": "7",
      "x-wc-webhook-delivery-id": fresh.hex(32),
    },
    json: {
      id,
      parent_id: 0,
      number: String(id),
      order_key: `wc_order_${fresh.text(13)}`,
      status,
      currency: "USD",
      version: "10.3.0",
      prices_include_tax: false,
      date_created: at,
      date_created_gmt: at,
      date_modified: at,
      date_modified_gmt: at,
      date_paid: at,
      date_completed: status === "completed" ? at : null,
      discount_total: "0.00",
      discount_tax: "0.00",
      shipping_total: "5.00",
      shipping_tax: "0.00",
      cart_tax: "0.00",
      total: "47.00",
      total_tax: "0.00",
      customer_id: 42,
      customer_note: "",
      billing: address,
      shipping: address,
      payment_method: "stripe",
      payment_method_title: "Card",
      transaction_id: `pi_3${fresh.text(23)}`,
      created_via: "checkout",
      line_items: [
        {
          id: fresh.digits(4),
          name: "Field notebook",
          product_id: 93,
          variation_id: 0,
          quantity: 2,
          tax_class: "",
          subtotal: "42.00",
          subtotal_tax: "0.00",
          total: "42.00",
          total_tax: "0.00",
          sku: "NOTE-A5-DOT",
          price: 21,
          taxes: [],
          meta_data: [],
        },
      ],
      shipping_lines: [
        { id: fresh.digits(4), method_title: "Standard", method_id: "flat_rate", total: "5.00" },
      ],
      tax_lines: [],
      fee_lines: [],
      coupon_lines: [],
      refunds: [],
      meta_data: [],
    },
  };
}

/** https://docs.lemonsqueezy.com/help/webhooks/example-payloads */
export const lemonSqueezy: SampleEvents = [
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

function lemonEvent(fresh: Fresh, eventName: string, type: string, attributes: object): SampleContent {
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
        attributes: { ...attributes, test_mode: true, created_at: fresh.iso, updated_at: fresh.iso },
        relationships: {},
        links: { self: `https://api.lemonsqueezy.com/v1/${type}/${id}` },
      },
    },
  };
}

/** https://clerk.com/docs/guides/development/webhooks/overview */
export const clerk: SampleEvents = [
  { type: "user.created", make: (fresh) => clerkEvent(fresh, "user.created", clerkUser(fresh)) },
  {
    type: "user.deleted",
    make: (fresh) =>
      clerkEvent(fresh, "user.deleted", { deleted: true, id: `user_${fresh.text(27)}`, object: "user" }),
  },
  {
    type: "session.created",
    make: (fresh) =>
      clerkEvent(fresh, "session.created", {
        id: `sess_${fresh.text(27)}`,
        object: "session",
        client_id: `client_${fresh.text(27)}`,
        user_id: `user_${fresh.text(27)}`,
        status: "active",
        created_at: fresh.nowMs,
        updated_at: fresh.nowMs,
        last_active_at: fresh.nowMs,
        expire_at: fresh.nowMs + 604_800_000,
        abandon_at: fresh.nowMs + 2_592_000_000,
      }),
  },
];

function clerkEvent(fresh: Fresh, type: string, data: object): SampleContent {
  const from = { http_request: { client_ip: "192.0.2.10", user_agent: "Mozilla/5.0" } };
  return {
    json: {
      data,
      event_attributes: from,
      instance_id: "ins_example",
      object: "event",
      timestamp: fresh.nowMs,
      type,
    },
  };
}

function clerkUser(fresh: Fresh): object {
  const emailId = `idn_${fresh.text(27)}`;
  return {
    id: `user_${fresh.text(27)}`,
    object: "user",
    first_name: jenny.first_name,
    last_name: jenny.last_name,
    username: null,
    has_image: false,
    image_url: "https://img.clerk.com/example",
    primary_email_address_id: emailId,
    primary_phone_number_id: null,
    email_addresses: [
      {
        id: emailId,
        object: "email_address",
        email_address: jenny.email,
        linked_to: [],
        verification: { status: "verified", strategy: "ticket", attempts: null, expire_at: null },
      },
    ],
    phone_numbers: [],
    external_accounts: [],
    external_id: null,
    password_enabled: true,
    two_factor_enabled: false,
    banned: false,
    public_metadata: {},
    private_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: null,
    created_at: fresh.nowMs,
    updated_at: fresh.nowMs,
  };
}
