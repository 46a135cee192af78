import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const dropboxSignConsecutive: Consecutive = (fresh) => {
  const event = (signature: string) => ({
    json: {
      event: {
        event_type: "signature_request_signed",
        event_time: String(fresh.seconds),
        event_metadata: { related_signature_id: signature },
      },
      signature_request: { signature_request_id: "r1" },
    },
  });
  return { two: [event("s1"), event("s2")] };
};
