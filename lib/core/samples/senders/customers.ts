/** Customers, support and what they fill in. */
import type { Fresh } from "../fresh.ts";
import type { SampleContent, SampleEvents } from "../sample-event.ts";

const jenny = { name: "Jenny Rosen", email: "jenny.rosen@example.com" };

/** https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const hubspot: SampleEvents = [
  {
    type: "contact.creation",
    make: (fresh) => ({ json: [hubspotEvent(fresh, "contact.creation", { changeFlag: "CREATED" })] }),
  },
  {
    type: "contact.propertyChange",
    make: (fresh) => ({
      json: [
        hubspotEvent(fresh, "contact.propertyChange", {
          propertyName: "lifecyclestage",
          propertyValue: "customer",
        }),
        hubspotEvent(fresh, "contact.propertyChange", { propertyName: "city", propertyValue: "Portland" }),
      ],
    }),
  },
  {
    type: "deal.creation",
    make: (fresh) => ({ json: [hubspotEvent(fresh, "deal.creation", { changeFlag: "CREATED" })] }),
  },
];

function hubspotEvent(fresh: Fresh, subscriptionType: string, change: object): object {
  return {
    eventId: fresh.digits(10),
    subscriptionId: 25,
    portalId: 62_515,
    appId: 1_160_452,
    occurredAt: fresh.nowMs,
    subscriptionType,
    attemptNumber: 0,
    objectId: fresh.digits(6),
    changeSource: "CRM_UI",
    ...change,
  };
}

/** https://developers.intercom.com/docs/webhooks/webhook-models */
export const intercom: SampleEvents = [
  {
    type: "conversation.user.created",
    make: (fresh) => intercomEvent(fresh, "conversation.user.created", conversation(fresh)),
  },
  {
    type: "contact.user.created",
    make: (fresh) =>
      intercomEvent(fresh, "contact.user.created", {
        type: "contact",
        id: fresh.hex(24),
        external_id: "42",
        role: "user",
        ...jenny,
        phone: null,
        created_at: fresh.iso,
        updated_at: fresh.iso,
        custom_attributes: {},
      }),
  },
];

function intercomEvent(fresh: Fresh, topic: string, item: object): SampleContent {
  return {
    json: {
      type: "notification_event",
      app_id: "example1",
      data: { type: "notification_event_data", item },
      links: {},
      id: `notif_${fresh.uuid()}`,
      topic,
      delivery_status: "pending",
      delivery_attempts: 1,
      delivered_at: 0,
      first_sent_at: fresh.seconds,
      created_at: fresh.seconds,
      self: null,
    },
  };
}

function conversation(fresh: Fresh): object {
  const author = { type: "user", id: fresh.hex(24), ...jenny };
  return {
    type: "conversation",
    id: String(fresh.digits(12)),
    created_at: fresh.seconds,
    updated_at: fresh.seconds,
    state: "open",
    open: true,
    read: false,
    priority: "not_priority",
    admin_assignee_id: null,
    team_assignee_id: null,
    source: {
      type: "conversation",
      id: String(fresh.digits(10)),
      delivered_as: "customer_initiated",
      subject: "",
      body: "<p>Is my order on its way?</p>",
      author,
      url: "https://shop.example.com/orders/1042",
    },
    contacts: { type: "contact.list", contacts: [{ type: "contact", id: author.id, external_id: "42" }] },
    tags: { type: "tag.list", tags: [] },
  };
}

/** https://developer.zendesk.com/api-reference/webhooks/event-types/webhook-event-types/ */
export const zendesk: SampleEvents = [
  {
    type: "zen:event-type:ticket.created",
    make: (fresh) => zendeskEvent(fresh, "zen:event-type:ticket.created", {}),
  },
  {
    type: "zen:event-type:ticket.status_changed",
    make: (fresh) =>
      zendeskEvent(fresh, "zen:event-type:ticket.status_changed", { current: "SOLVED", previous: "OPEN" }),
  },
];

function zendeskEvent(fresh: Fresh, type: string, event: object): SampleContent {
  const id = String(fresh.digits(5));
  return {
    headers: {
      "user-agent": "Zendesk Webhook",
      "x-zendesk-account-id": "123456",
      "x-zendesk-webhook-id": "01GQ9EXAMPLE",
      "x-zendesk-webhook-invocation-id": `01${fresh.text(24).toUpperCase()}`,
    },
    json: {
      account_id: 123_456,
      type,
      id: fresh.uuid(),
      time: fresh.iso,
      subject: `zen:ticket:${id}`,
      zendesk_event_version: "2022-11-06",
      event,
      detail: {
        id,
        actor_id: "8447388090494",
        assignee_id: "8447388090494",
        brand_id: "8447346621310",
        created_at: fresh.isoSeconds,
        updated_at: fresh.isoSeconds,
        custom_status: "8447320465790",
        description: "Is my order on its way?",
        external_id: null,
        form_id: "8646151517822",
        group_id: "8447320466430",
        is_public: true,
        organization_id: "8447346622462",
        priority: "NORMAL",
        requester_id: "8447388090494",
        status: "OPEN",
        subject: "Order 1042",
        submitter_id: "8447388090494",
        tags: ["order"],
        type: "TASK",
        via: { channel: "web_service" },
      },
    },
  };
}

/** https://www.typeform.com/developers/webhooks/example-payload/ */
export const typeform: SampleEvents = [
  {
    type: "form_response",
    make: (fresh) => {
      const fields = [
        { id: "JwWggjAKtOkA", title: "What is your name?", type: "short_text", ref: "name" },
        { id: "SMEUb7VJz92Q", title: "Where can we reach you?", type: "email", ref: "email" },
        { id: "WOTdC00F8A3h", title: "How likely are you to recommend us?", type: "rating", ref: "rating" },
      ];
      const values = [
        { type: "text", text: jenny.name },
        { type: "email", email: jenny.email },
        { type: "number", number: 5 },
      ];
      return {
        json: {
          event_id: `01${fresh.text(24).toUpperCase()}`,
          event_type: "form_response",
          form_response: {
            form_id: "lT4Z3j",
            token: fresh.hex(32),
            landed_at: new Date(fresh.nowMs - 61_000).toISOString(),
            submitted_at: fresh.isoSeconds,
            hidden: { order_id: "1042" },
            calculated: { score: 9 },
            definition: { id: "lT4Z3j", title: "How was your order?", fields },
            answers: values.map((value, index) => {
              const { id, type, ref } = fields[index] ?? {};
              return { ...value, field: { id, type, ref } };
            }),
          },
        },
      };
    },
  },
];

/** https://developer.calendly.com/api-docs/edca8074633f8-webhook-payload */
export const calendly: SampleEvents = [
  { type: "invitee.created", make: (fresh) => calendlyEvent(fresh, "invitee.created", "active") },
  { type: "invitee.canceled", make: (fresh) => calendlyEvent(fresh, "invitee.canceled", "canceled") },
];

function calendlyEvent(fresh: Fresh, event: string, status: string): SampleContent {
  const api = "https://api.calendly.com";
  const scheduled = `${api}/scheduled_events/${fresh.uuid()}`;
  const uri = `${scheduled}/invitees/${fresh.uuid()}`;
  const startsAt = fresh.nowMs + 86_400_000;
  const canceled = {
    canceled_by: jenny.name,
    reason: "Another day suits me better",
    canceler_type: "invitee",
  };
  return {
    json: {
      created_at: fresh.iso,
      created_by: `${api}/users/EXAMPLEUSER`,
      event,
      payload: {
        uri,
        ...jenny,
        first_name: null,
        last_name: null,
        status,
        timezone: "America/Los_Angeles",
        event: scheduled,
        text_reminder_number: null,
        rescheduled: false,
        old_invitee: null,
        new_invitee: null,
        cancel_url: "https://calendly.com/cancellations/example",
        reschedule_url: "https://calendly.com/reschedulings/example",
        questions_and_answers: [{ answer: "Order 1042", position: 0, question: "What is it about?" }],
        tracking: {
          utm_campaign: null,
          utm_source: "shop",
          utm_medium: null,
          utm_content: null,
          utm_term: null,
        },
        scheduled_event: {
          uri: scheduled,
          name: "Half an hour",
          status,
          start_time: new Date(startsAt).toISOString(),
          end_time: new Date(startsAt + 1_800_000).toISOString(),
          event_type: `${api}/event_types/EXAMPLETYPE`,
          location: { type: "google_conference", status: "pushed", join_url: "https://meet.example.com/abc" },
          invitees_counter: { total: 1, active: status === "active" ? 1 : 0, limit: 1 },
          event_memberships: [{ user: `${api}/users/EXAMPLEUSER`, user_email: "host@example.com" }],
          created_at: fresh.iso,
          updated_at: fresh.iso,
        },
        ...(status === "canceled" ? { cancellation: { ...canceled, created_at: fresh.iso } } : {}),
        created_at: fresh.iso,
        updated_at: fresh.iso,
      },
    },
  };
}
