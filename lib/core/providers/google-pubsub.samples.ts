import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const googlePubsubConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    json: {
      subscription: "the same",
      message: { messageId: fresh.uuid(), attributes: { eventType: "example.updated" } },
    },
  });
  return { two: [event(), event()] };
};
