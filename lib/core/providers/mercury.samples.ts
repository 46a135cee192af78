import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.mercury.com/reference/webhooks */
export const mercurySamples: SampleEvents = [
  { type: "update", make: (fresh) => transaction(fresh, "update", "sent") },
  { type: "create", make: (fresh) => transaction(fresh, "create", "pending") },
];

function transaction(fresh: Fresh, operation: string, status: string): SampleContent {
  return {
    json: {
      id: fresh.uuid(),
      resourceType: "transaction",
      resourceId: "3f0d4d1e-5c1c-4f7c-9a4a-6b2d8d1f7e10",
      operationType: operation,
      resourceVersion: 2,
      occurredAt: fresh.iso,
      changedPaths: ["status"],
      mergePatch: { status },
      previousValues: {},
    },
  };
}
