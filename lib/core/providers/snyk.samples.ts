import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.snyk.io/snyk-api/using-specific-snyk-apis/webhooks-apis/webhooks */
export const snykSamples: SampleEvents = [{ type: "project_snapshot/v0", make: snapshot }];

function snapshot(fresh: Fresh): SampleContent {
  return {
    headers: {
      "x-snyk-event": "project_snapshot/v0",
      "x-snyk-transport-id": fresh.uuid(),
      "x-snyk-timestamp": fresh.isoSeconds,
    },
    json: {
      project: { id: "2a41fa4a-2d1a-4e7c-9d3c-1f0f4d4f4e11", name: "acme/orders:package.json" },
      org: { id: "f0ab9b1c-6e59-4b9c-9f0e-3f1a4f3b2c1d", name: "acme" },
      newIssues: [],
      removedIssues: [],
    },
  };
}
