import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://shopify.dev/docs/api/webhooks */
export const shopifySamples: SampleEvents = [
  { type: "orders/create", make: (fresh) => event(fresh, "orders/create", order(fresh)) },
  { type: "products/update", make: (fresh) => event(fresh, "products/update", product(fresh)) },
  { type: "customers/create", make: (fresh) => event(fresh, "customers/create", customer(fresh)) },
];

function event(fresh: Fresh, topic: string, json: object): SampleContent {
  return {
    headers: {
      "x-shopify-topic": topic,
      "x-shopify-shop-domain": "example-shop.myshopify.com",
      "x-shopify-api-version": "2025-10",
      "x-shopify-webhook-id": fresh.uuid(),
      "x-shopify-event-id": fresh.uuid(),
      "x-shopify-triggered-at": fresh.iso,
    },
    json,
  };
}

const address = {
  first_name: "Jenny",
  last_name: "Rosen",
  name: "Jenny Rosen",
  company: null,
  address1: "1200 Morrison Street",
  address2: null,
  city: "Portland",
  province: "Oregon",
  province_code: "OR",
  country: "United States",
  country_code: "US",
  zip: "97205",
  phone: "+15035550100",
  latitude: 45.52,
  longitude: -122.68,
};

function customer(fresh: Fresh): object {
  const id = fresh.digits(13);
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Customer/${id}`,
    email: "jenny.rosen@example.com",
    first_name: "Jenny",
    last_name: "Rosen",
    phone: null,
    state: "disabled",
    verified_email: true,
    note: null,
    tags: "",
    currency: "USD",
    tax_exempt: false,
    created_at: fresh.isoSeconds,
    updated_at: fresh.isoSeconds,
    default_address: address,
  };
}

const money = (amount: string) => ({
  shop_money: { amount, currency_code: "USD" },
  presentment_money: { amount, currency_code: "USD" },
});

function order(fresh: Fresh): object {
  const [id, number] = [fresh.digits(13), fresh.digits(4)];
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    name: `#${number}`,
    order_number: number,
    number: number - 1000,
    email: "jenny.rosen@example.com",
    contact_email: "jenny.rosen@example.com",
    phone: null,
    confirmed: true,
    test: true,
    created_at: fresh.isoSeconds,
    updated_at: fresh.isoSeconds,
    processed_at: fresh.isoSeconds,
    cancelled_at: null,
    cancel_reason: null,
    closed_at: null,
    currency: "USD",
    presentment_currency: "USD",
    financial_status: "paid",
    fulfillment_status: null,
    subtotal_price: "42.00",
    total_discounts: "0.00",
    total_line_items_price: "42.00",
    total_tax: "0.00",
    total_price: "47.00",
    total_price_set: money("47.00"),
    total_weight: 400,
    taxes_included: false,
    source_name: "web",
    landing_site: "/",
    referring_site: "https://search.example.com/",
    note: null,
    note_attributes: [],
    tags: "",
    token: fresh.hex(32),
    customer: customer(fresh),
    billing_address: address,
    shipping_address: address,
    discount_codes: [],
    fulfillments: [],
    refunds: [],
    line_items: [
      {
        id: fresh.digits(14),
        product_id: fresh.digits(13),
        variant_id: fresh.digits(14),
        title: "Field notebook",
        variant_title: "A5, dotted",
        name: "Field notebook - A5, dotted",
        sku: "NOTE-A5-DOT",
        vendor: "Example Shop",
        quantity: 2,
        price: "21.00",
        price_set: money("21.00"),
        total_discount: "0.00",
        grams: 200,
        taxable: true,
        requires_shipping: true,
        gift_card: false,
        fulfillment_status: null,
        properties: [],
        tax_lines: [],
      },
    ],
    shipping_lines: [
      {
        id: fresh.digits(13),
        code: "Standard",
        title: "Standard",
        price: "5.00",
        price_set: money("5.00"),
        tax_lines: [],
      },
    ],
    tax_lines: [],
  };
}

function product(fresh: Fresh): object {
  const id = fresh.digits(13);
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Product/${id}`,
    title: "Field notebook",
    handle: "field-notebook",
    body_html: "<p>A notebook for the field.</p>",
    vendor: "Example Shop",
    product_type: "Stationery",
    status: "active",
    tags: "notebook, paper",
    created_at: "2025-02-11T09:30:00Z",
    updated_at: fresh.isoSeconds,
    published_at: "2025-02-11T09:30:00Z",
    options: [{ id: fresh.digits(13), name: "Size", position: 1, values: ["A5", "A6"] }],
    images: [],
    variants: [
      {
        id: fresh.digits(14),
        product_id: id,
        title: "A5",
        price: "21.00",
        compare_at_price: null,
        sku: "NOTE-A5-DOT",
        position: 1,
        inventory_policy: "deny",
        inventory_quantity: 118,
        option1: "A5",
        created_at: "2025-02-11T09:30:00Z",
        updated_at: fresh.isoSeconds,
      },
    ],
  };
}
