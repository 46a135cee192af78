import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const jenny = { name: "Jenny Rosen", email: "jenny.rosen@example.com" };

/** https://developers.intercom.com/docs/webhooks/webhook-models */
export const intercomSamples: SampleEvents = [
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
    contacts: {
      type: "contact.list",
      contacts: [{ type: "contact", id: author.id, external_id: "42" }],
    },
    tags: { type: "tag.list", tags: [] },
  };
}
