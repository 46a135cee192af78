import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.aftership.com/docs/tracking/webhook/webhook-signature */
export const aftershipSamples: SampleEvents = [
  { type: "tracking_update", make: (fresh) => update(fresh, "Delivered") },
];

function update(fresh: Fresh, tag: string): SampleContent {
  return {
    json: {
      event: "tracking_update",
      event_id: fresh.uuid(),
      is_tracking_first_tag: true,
      msg: { id: "t1", tracking_number: "9400110200881269505160", slug: "usps", tag },
      ts: fresh.seconds,
    },
  };
}
