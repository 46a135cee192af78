import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://www.assemblyai.com/docs/deployment/webhooks */
export const assemblyaiSamples: SampleEvents = [
  {
    type: "completed",
    make: (fresh) => ({ json: { transcript_id: fresh.uuid(), status: "completed" } }),
  },
  { type: "error", make: (fresh) => ({ json: { transcript_id: fresh.uuid(), status: "error" } }) },
];
