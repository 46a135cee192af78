import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.merge.dev/basics/webhooks/merge-webhooks */
export const mergeSamples: SampleEvents = [
  { type: "Employee.changed", make: (fresh) => changed(fresh, fresh.uuid(), "ACTIVE") },
];

function changed(fresh: Fresh, id: string, status: string): SampleContent {
  return {
    json: {
      hook: {
        id: "0c2e3fbb-3ca5-4d6b-9a3d-4a4a6d6b0c11",
        event: "Employee.changed",
        target: "https://example.com/",
      },
      linked_account: {
        id: "f4a1c7c5-3a4e-4f8d-9a7e-1c0a9d3c2b10",
        integration: "BambooHR",
        category: "hris",
        status: "COMPLETE",
      },
      data: { id, first_name: "Ada", employment_status: status, modified_at: fresh.iso },
    },
  };
}
