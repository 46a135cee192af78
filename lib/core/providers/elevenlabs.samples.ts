import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const elevenlabsConsecutive: Consecutive = (fresh) => {
  const common = { type: "post_call_transcription", data: { conversation_id: "c1" } };
  return {
    two: [
      { json: { ...common, event_timestamp: fresh.seconds } },
      { json: { ...common, event_timestamp: fresh.seconds + 1 } },
    ],
  };
};
