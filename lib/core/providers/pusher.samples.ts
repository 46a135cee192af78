import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const pusherConsecutive: Consecutive = (fresh) => {
  const common = { events: [{ name: "channel_occupied", channel: "a" }] };
  return {
    two: [
      { json: { ...common, time_ms: fresh.nowMs } },
      { json: { ...common, time_ms: fresh.nowMs + 1 } },
    ],
  };
};
