import { type ActionTemplate, post, when } from "./action-template.ts";

const hubspot = "https://api.hubapi.com/crm/v3/objects/contacts";
const hubspotToken = "The access token of a HubSpot private app, as a bearer token";

/** People who become contacts or subscribers. */
export const contactTemplates: readonly ActionTemplate[] = [
  {
    id: "stripe-crm-contact",
    title: "Stripe checkout → CRM contact",
    does: "Finds the customer in HubSpot by email, then updates or creates the contact.",
    providers: ["stripe"],
    eventType: "checkout.session.completed",
    action: {
      name: "Update the CRM contact",
      filter: when("payload.type", "checkout.session.completed"),
      steps: [
        {
          key: "find",
          kind: "call",
          onUnknown: "repeat",
          request: post(`${hubspot}/search`, {
            limit: 1,
            filterGroups: [
              {
                filters: [
                  {
                    propertyName: "email",
                    operator: "EQ",
                    value: "{{ payload.data.object.customer_details.email | downcase }}",
                  },
                ],
              },
            ],
          }),
        },
        {
          key: "update",
          kind: "call",
          when: { all: [{ path: "steps.find.body.total", op: "gt", value: 0 }] },
          onUnknown: "repeat",
          request: {
            method: "PATCH",
            url: `${hubspot}/{{ steps.find.body.results[0].id }}`,
            body: {
              properties: {
                phone: '{{ payload.data.object.customer_details.phone | default: "" }}',
                lifecyclestage: "customer",
              },
            },
          },
        },
        {
          key: "create",
          kind: "call",
          when: { all: [{ path: "steps.find.body.total", op: "equals", value: 0 }] },
          request: post(hubspot, {
            properties: {
              email: "{{ payload.data.object.customer_details.email | downcase }}",
              firstname: '{{ payload.data.object.customer_details.name | split: " " | first }}',
              lastname: '{{ payload.data.object.customer_details.name | split: " " | last }}',
              lifecyclestage: "customer",
            },
          }),
        },
      ],
    },
    fillIn: [`${hubspotToken}, in each of the three steps`],
  },
  {
    id: "calendly-crm",
    title: "Calendly booking → CRM contact",
    does: "Creates or updates the invitee in HubSpot, with the time of the meeting.",
    providers: ["calendly"],
    eventType: "invitee.created",
    action: {
      name: "Add the invitee to the CRM",
      filter: when("payload.event", "invitee.created"),
      request: post(`${hubspot}/batch/upsert`, {
        inputs: [
          {
            idProperty: "email",
            id: "{{ payload.payload.email | downcase }}",
            properties: {
              email: "{{ payload.payload.email | downcase }}",
              firstname: '{{ payload.payload.name | split: " " | first }}',
              lastname: '{{ payload.payload.name | split: " " | last }}',
              next_meeting: "{{ payload.payload.scheduled_event.start_time }}",
            },
          },
        ],
      }),
    },
    fillIn: [
      hubspotToken,
      "A contact property for the meeting, such as next_meeting, or remove it",
    ],
  },
  {
    id: "typeform-email-list",
    title: "Typeform response → email list",
    does: "Adds each response with an email address to a Brevo list.",
    providers: ["typeform"],
    eventType: "form_response",
    action: {
      name: "Add to the email list",
      filter: {
        all: [
          {
            path: "payload.form_response.answers",
            op: "anyItem",
            where: { all: [{ path: "item.type", op: "equals", value: "email" }] },
          },
        ],
      },
      steps: [
        {
          key: "read",
          kind: "transform",
          code: `export default (delivery) => {
  const { answers, definition } = delivery.payload.form_response;
  const find = (type) => answers.find((answer) => answer.type === type);
  return {
    email: find("email").email,
    name: find("text")?.text ?? "",
    form: definition.title,
  };
};
`,
        },
        {
          key: "add",
          kind: "call",
          onUnknown: "repeat",
          request: post("https://api.brevo.com/v3/contacts", {
            email: "{{ steps.read.value.email }}",
            attributes: {
              FIRSTNAME: "{{ steps.read.value.name }}",
              FORM: "{{ steps.read.value.form }}",
            },
            listIds: [1],
            updateEnabled: true,
          }),
        },
      ],
    },
    fillIn: ["A Brevo API key, in the header api-key", "The number of the list"],
  },
  {
    id: "shopify-customer-mailing-list",
    title: "New customer → mailing list",
    does: "Adds new Shopify customers to a Mailchimp audience.",
    providers: ["shopify"],
    eventType: "customers/create",
    action: {
      name: "Add to the mailing list",
      filter: {
        all: [
          { path: 'headers["x-shopify-topic"]', op: "equals", value: "customers/create" },
          { path: "payload.email", op: "exists" },
        ],
      },
      request: post("https://us1.api.mailchimp.com/3.0/lists/LIST_ID/members", {
        email_address: "{{ payload.email }}",
        status: "pending",
        merge_fields: {
          FNAME: '{{ payload.first_name | default: "" }}',
          LNAME: '{{ payload.last_name | default: "" }}',
        },
      }),
    },
    fillIn: [
      "The data center and the list in the URL, instead of us1 and LIST_ID",
      "A Mailchimp API key, as the password of basic authentication",
    ],
  },
];
