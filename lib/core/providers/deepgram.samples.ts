import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.deepgram.com/docs/callback */
export const deepgramSamples: SampleEvents = [
  { type: "transcript", make: (fresh) => ({ json: transcript(fresh) }) },
];

function transcript(fresh: Fresh): object {
  return {
    metadata: {
      request_id: fresh.uuid(),
      sha256: fresh.hex(64),
      created: fresh.iso,
      duration: 19.5,
      channels: 1,
      models: [fresh.uuid()],
    },
    results: {
      channels: [
        {
          alternatives: [{ transcript: "Hello, this is order 1042.", confidence: 0.99, words: [] }],
        },
      ],
    },
  };
}
