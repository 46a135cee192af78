import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://cursor.com/docs/cloud-agent/api/webhooks */
export const cursorSamples: SampleEvents = [
  { type: "statusChange", make: (fresh) => finished(fresh, `bc_${fresh.text(8)}`, fresh.iso) },
];

function finished(fresh: Fresh, id: string, timestamp: string): SampleContent {
  return {
    headers: { "x-webhook-id": `msg_${fresh.text(20)}`, "x-webhook-event": "statusChange" },
    json: {
      event: "statusChange",
      timestamp,
      id,
      status: "FINISHED",
      source: { repository: "https://github.com/acme/orders", ref: "main" },
      target: {
        url: `https://cursor.com/agents?id=${id}`,
        branchName: "cursor/show-currency",
        prUrl: "https://github.com/acme/orders/pull/42",
      },
      summary: "Show prices with their currency",
    },
  };
}
