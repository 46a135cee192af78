import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const ebayConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    json: {
      notification: { notificationId: fresh.uuid() },
      metadata: { topic: "example.updated" },
    },
  });
  return { two: [event(), event()] };
};
