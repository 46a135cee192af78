import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const razorpayConsecutive: Consecutive = (fresh) => {
  const event = () => ({
    headers: { "x-razorpay-event-id": fresh.uuid() },
    json: { event: "example.updated", object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
