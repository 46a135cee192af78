import { type ActionTemplate, post, when } from "./action-template.ts";

/** Orders, payments, and forms that other systems work on. */
export const orderTemplates: readonly ActionTemplate[] = [
  {
    id: "shopify-several-systems",
    title: "Shopify order → several systems",
    does: "Sends an order to the warehouse, to accounting, and to Slack. Each continues if another fails.",
    providers: ["shopify"],
    eventType: "orders/create",
    action: {
      name: "Pass on the order",
      filter: when('headers["x-shopify-topic"]', "orders/create"),
      steps: [
        {
          key: "warehouse",
          kind: "call",
          onFailure: {
            steps: [
              {
                key: "tell",
                kind: "call",
                request: post("https://hooks.slack.com/services/", {
                  text: "The warehouse didn't accept order {{ payload.name }}: {{ steps.warehouse.error.message }}",
                }),
              },
            ],
          },
          request: {
            method: "POST",
            url: "https://warehouse.example.com/orders",
            headers: { "Content-Type": "application/json" },
            bodyText: `{
  "reference": "{{ payload.name }}",
  "email": "{{ payload.email }}",
  "lines": [
    {% for item in payload.line_items %}{"sku": "{{ item.sku }}", "quantity": {{ item.quantity }}}\
{% unless forloop.last %},{% endunless %}{% endfor %}
  ]
}`,
          },
        },
        {
          key: "accounting",
          kind: "call",
          onFailure: "continue",
          request: post("https://accounting.example.com/sales", {
            number: "{{ payload.order_number }}",
            total: "{{ payload.total_price | plus: 0 }}",
            tax: "{{ payload.total_tax | plus: 0 }}",
            currency: "{{ payload.currency }}",
            paid: "{{ payload.financial_status }}",
          }),
        },
        {
          key: "chat",
          kind: "call",
          onFailure: "continue",
          request: post("https://hooks.slack.com/services/", {
            text: "Order {{ payload.name }}: {{ payload.total_price }} {{ payload.currency }}",
          }),
        },
      ],
    },
    fillIn: [
      "The URLs and credentials of your warehouse and accounting",
      "The URL of a Slack incoming webhook, twice",
    ],
  },
  {
    id: "stripe-payment-failed-email",
    title: "Payment failed → email",
    does: "Sends the customer an email with a link to pay a failed invoice, with Resend.",
    providers: ["stripe"],
    eventType: "invoice.payment_failed",
    action: {
      name: "Email about the failed payment",
      filter: when("payload.type", "invoice.payment_failed"),
      request: post("https://api.resend.com/emails", {
        from: "Billing <billing@example.com>",
        to: ["{{ payload.data.object.customer_email }}"],
        subject: "Your payment of invoice {{ payload.data.object.number }} failed",
        text:
          'Hello {{ payload.data.object.customer_name | default: "there" }},\n\nwe could not ' +
          "collect {{ payload.data.object.amount_due | divided_by: 100 }}.{{ " +
          'payload.data.object.amount_due | modulo: 100 | prepend: "0" | slice: -2, 2 }} {{ ' +
          "payload.data.object.currency | upcase }}. Please pay here: {{ " +
          "payload.data.object.hosted_invoice_url }}",
      }),
    },
    fillIn: ["A Resend API key, as a bearer token", "The sender's address"],
  },
  {
    id: "form-sheet",
    title: "Form response → sheet row",
    does: "Appends a row with the time and all answers to a Google sheet.",
    providers: ["typeform"],
    eventType: "form_response",
    action: {
      name: "Add a row to the sheet",
      steps: [
        {
          key: "row",
          kind: "transform",
          code: `export default (delivery) => {
  const { submitted_at, answers } = delivery.payload.form_response;
  const read = (answer) => {
    const value = answer[answer.type];
    if (value === null || typeof value !== "object") return value;
    return value.label ?? (value.labels ?? []).join(", ");
  };
  return [submitted_at, ...answers.map(read)];
};
`,
        },
        {
          key: "append",
          kind: "call",
          request: {
            method: "POST",
            url: "https://sheets.googleapis.com/v4/spreadsheets/SHEET_ID/values/A1:append",
            query: { valueInputOption: "USER_ENTERED" },
            body: { values: ["{{ steps.row.value }}"] },
          },
        },
      ],
    },
    fillIn: [
      "The id of the sheet in the URL, instead of SHEET_ID",
      "An OAuth 2 credential for Google Sheets",
    ],
  },
  {
    id: "forward-with-key",
    title: "Anything → another webhook",
    does: "Forwards the original body and headers, byte for byte.",
    providers: [],
    eventType: null,
    action: {
      name: "Forward",
      request: {
        method: "POST",
        url: "https://example.com/webhooks",
        forward: { method: true, query: true, headers: "all" },
      },
    },
    fillIn: ["The URL to forward to"],
  },
];
