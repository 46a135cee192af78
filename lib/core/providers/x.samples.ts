import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const xConsecutive: Consecutive = () => {
  const common = { for_user_id: "1" };
  return {
    two: [
      { json: { ...common, favorite_events: [{ id: "1", timestamp_ms: 1 }] } },
      { json: { ...common, favorite_events: [{ id: "2", timestamp_ms: 2 }] } },
    ],
  };
};
