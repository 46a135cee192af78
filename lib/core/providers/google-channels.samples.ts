import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const googleChannelsConsecutive: Consecutive = () => {
  const common = { "x-goog-channel-id": "c1", "x-goog-resource-state": "update" };
  return {
    two: [
      { headers: { ...common, "x-goog-message-number": "2" }, json: {} },
      { headers: { ...common, "x-goog-message-number": "3" }, json: {} },
    ],
  };
};
