import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://increase.com/documentation/webhooks */
export const increaseSamples: SampleEvents = [
  { type: "transaction.created", make: (fresh) => event(fresh, "transaction.created") },
  { type: "account.updated", make: (fresh) => event(fresh, "account.updated") },
];

function event(fresh: Fresh, category: string): SampleContent {
  return {
    json: {
      id: `event_${fresh.text(20)}`,
      type: "event",
      category,
      created_at: fresh.isoSeconds,
      associated_object_type: category.split(".")[0],
      associated_object_id: `${category.split(".")[0]}_example`,
    },
  };
}
