import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://ai.google.dev/gemini-api/docs/webhooks */
export const geminiSamples: SampleEvents = [
  { type: "batch.succeeded", make: (fresh) => event(fresh, "batch.succeeded") },
  { type: "video.generated", make: (fresh) => event(fresh, "video.generated") },
];

function event(fresh: Fresh, type: string): SampleContent {
  return {
    json: { type, version: "v1", timestamp: fresh.isoSeconds, data: { id: "the same" } },
  };
}
