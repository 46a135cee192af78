import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const jenny = { name: "Jenny Rosen", email: "jenny.rosen@example.com" };

/** https://developer.calendly.com/api-docs/edca8074633f8-webhook-payload */
export const calendlySamples: SampleEvents = [
  { type: "invitee.created", make: (fresh) => calendlyEvent(fresh, "invitee.created", "active") },
  {
    type: "invitee.canceled",
    make: (fresh) => calendlyEvent(fresh, "invitee.canceled", "canceled"),
  },
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
        questions_and_answers: [
          { answer: "Order 1042", position: 0, question: "What is it about?" },
        ],
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
          location: {
            type: "google_conference",
            status: "pushed",
            join_url: "https://meet.example.com/abc",
          },
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
