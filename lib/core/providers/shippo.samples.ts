import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.goshippo.com/tracking/webhooks */
export const shippoSamples: SampleEvents = [
  { type: "track_updated", make: (fresh) => track(fresh, fresh.hex(32), "DELIVERED") },
];

function track(fresh: Fresh, statusId: string, status: string): SampleContent {
  return {
    json: {
      event: "track_updated",
      test: false,
      data: {
        tracking_number: "9205590164917312751089",
        carrier: "usps",
        tracking_status: { object_id: statusId, status, status_date: fresh.iso },
      },
    },
  };
}
