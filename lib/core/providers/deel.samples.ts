import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.deel.com/api/webhooks/quickstart */
export const deelSamples: SampleEvents = [
  { type: "contract.created", make: (fresh) => contract(fresh, fresh.uuid(), "new") },
];

function contract(fresh: Fresh, id: string, status: string): SampleContent {
  return {
    json: {
      data: {
        meta: { event_type: "contract.created", organization_id: "org-example" },
        resource: { id, status },
      },
      timestamp: fresh.iso,
    },
  };
}
