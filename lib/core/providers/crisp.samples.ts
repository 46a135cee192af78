import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const crispConsecutive: Consecutive = (fresh) => {
  const common = { website_id: "w1", event: "message:send", data: { session_id: "s1" } };
  return {
    two: [
      { json: { ...common, timestamp: fresh.nowMs } },
      { json: { ...common, timestamp: fresh.nowMs + 1 } },
    ],
  };
};
