import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.dwolla.com/docs/working-with-webhooks */
export const dwollaSamples: SampleEvents = [
  { type: "transfer_completed", make: (fresh) => transfer(fresh, "transfer_completed") },
  { type: "transfer_failed", make: (fresh) => transfer(fresh, "transfer_failed") },
];

const resource = "09a4bb46-8ff2-4f2a-a3d6-3c1d4d6b9e10";

function transfer(fresh: Fresh, topic: string): SampleContent {
  const id = fresh.uuid();
  return {
    json: {
      id,
      resourceId: resource,
      topic,
      timestamp: fresh.iso,
      _links: {
        self: { href: `https://api.dwolla.com/events/${id}` },
        resource: { href: `https://api.dwolla.com/transfers/${resource}` },
      },
      created: fresh.iso,
    },
  };
}
