import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const vapiConsecutive: Consecutive = (fresh) => {
  return {
    two: [
      {
        json: { message: { type: "status-update", status: "in-progress", timestamp: fresh.nowMs } },
      },
      {
        json: {
          message: { type: "status-update", status: "in-progress", timestamp: fresh.nowMs + 1 },
        },
      },
    ],
  };
};
