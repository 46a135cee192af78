import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.zendesk.com/api-reference/webhooks/event-types/webhook-event-types/ */
export const zendeskSamples: SampleEvents = [
  {
    type: "zen:event-type:ticket.created",
    make: (fresh) => zendeskEvent(fresh, "zen:event-type:ticket.created", {}),
  },
  {
    type: "zen:event-type:ticket.status_changed",
    make: (fresh) =>
      zendeskEvent(fresh, "zen:event-type:ticket.status_changed", {
        current: "SOLVED",
        previous: "OPEN",
      }),
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
