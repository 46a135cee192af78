import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const brevoConsecutive: Consecutive = (fresh) => {
  const common = { id: 7, "message-id": "<1@example.com>" };
  return {
    two: [
      { json: { ...common, event: "opened", ts_event: fresh.seconds } },
      { json: { ...common, event: "opened", ts_event: fresh.seconds + 1 } },
    ],
  };
};
