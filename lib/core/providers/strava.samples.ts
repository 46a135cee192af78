import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.strava.com/docs/webhooks/ */
export const stravaSamples: SampleEvents = [
  { type: "create", make: (fresh) => ({ json: activity(fresh, "create", {}) }) },
  {
    type: "update",
    make: (fresh) => ({ json: activity(fresh, "update", { title: "Morning run" }) }),
  },
];

function activity(fresh: Fresh, aspect: string, updates: object): object {
  return {
    object_type: "activity",
    object_id: fresh.digits(10),
    aspect_type: aspect,
    owner_id: 134_815,
    subscription_id: 120_475,
    event_time: fresh.seconds,
    updates,
  };
}
