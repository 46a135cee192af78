import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const recipient = "jenny.rosen@example.com";

/** https://resend.com/docs/dashboard/webhooks/event-types */
export const resendSamples: SampleEvents = [
  { type: "email.delivered", make: (fresh) => resendEvent(fresh, "email.delivered") },
  { type: "email.bounced", make: (fresh) => resendEvent(fresh, "email.bounced") },
];

function resendEvent(fresh: Fresh, type: string): SampleContent {
  const bounce = {
    message: "The recipient's mailbox does not exist.",
    subType: "General",
    type: "Permanent",
  };
  return {
    json: {
      type,
      created_at: fresh.iso,
      data: {
        broadcast_id: null,
        created_at: fresh.iso,
        email_id: fresh.uuid(),
        from: "Shop <shop@example.com>",
        to: [recipient],
        subject: "Your order 1042",
        tags: { category: "receipt" },
        ...(type === "email.bounced" ? { bounce } : {}),
      },
    },
  };
}
