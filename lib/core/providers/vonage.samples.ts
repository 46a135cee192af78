import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const vonageConsecutive: Consecutive = (fresh) => {
  const common = { message_uuid: fresh.uuid(), to: "447700900001", timestamp: fresh.iso };
  return {
    two: [
      { json: { ...common, status: "submitted" } },
      { json: { ...common, status: "delivered" } },
    ],
  };
};
