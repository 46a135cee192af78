import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const lineConsecutive: Consecutive = (fresh) => {
  const common = { destination: "U1" };
  return {
    two: [
      {
        json: {
          ...common,
          events: [{ type: "message", webhookEventId: fresh.text(26), source: { userId: "U2" } }],
        },
      },
      {
        json: {
          ...common,
          events: [{ type: "message", webhookEventId: fresh.text(26), source: { userId: "U2" } }],
        },
      },
    ],
  };
};
