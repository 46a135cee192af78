import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.assemblyai.com/docs/deployment/webhooks */
export const assemblyaiSamples: SampleEvents = [
  {
    type: "completed",
    make: (fresh) => ({ json: { transcript_id: fresh.uuid(), status: "completed" } }),
  },
  { type: "error", make: (fresh) => ({ json: { transcript_id: fresh.uuid(), status: "error" } }) },
];

/** Two events about the same object. */
export const assemblyaiConsecutive: Consecutive = () => ({
  two: [
    { json: { transcript_id: "5552493-16d8", status: "error" } },
    { json: { transcript_id: "5552493-16d8", status: "completed" } },
  ],
});
