import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent } from "./shapes/sample-event.ts";

/** The claims of the token: https://docs.kinde.com/integrate/webhooks/about-webhooks/ */
function updated(fresh: Fresh, eventId: string): SampleContent {
  return {
    json: {
      type: "user.updated",
      event_id: eventId,
      source: "admin",
      timestamp: fresh.iso,
      data: { user: { id: "kp_example", email: "jenny.rosen@example.com", first_name: "Jenny" } },
    },
  };
}

/** Two events about the same person. A further try may have another time. */
export const kindeConsecutive: Consecutive = (fresh) => {
  const [first, second] = [`event_${fresh.hex(20)}`, `event_${fresh.hex(20)}`];
  return { two: [updated(fresh, first), updated(fresh, second)] };
};
