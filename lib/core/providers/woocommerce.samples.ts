import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const jenny = { first_name: "Jenny", last_name: "Rosen", email: "jenny.rosen@example.com" };

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#orders */
export const woocommerceSamples: SampleEvents = [
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
