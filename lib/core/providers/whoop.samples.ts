import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.whoop.com/docs/developing/webhooks */
export const whoopSamples: SampleEvents = [
  { type: "workout.updated", make: (fresh) => event(fresh, "workout.updated") },
  { type: "sleep.updated", make: (fresh) => event(fresh, "sleep.updated") },
];

function event(fresh: Fresh, type: string): SampleContent {
  return {
    json: {
      user_id: 10_129,
      id: "ecfc6a15-4661-442f-a9a4-f160dd7afae8",
      type,
      trace_id: fresh.uuid(),
    },
  };
}
