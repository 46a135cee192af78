import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const onfidoConsecutive: Consecutive = () => {
  return {
    two: [
      {
        json: {
          payload: {
            action: "check.completed",
            object: { id: "1", completed_at_iso8601: "2026-01-02T10:00:00Z" },
          },
        },
      },
      {
        json: {
          payload: {
            action: "check.completed",
            object: { id: "1", completed_at_iso8601: "2026-01-02T10:00:01Z" },
          },
        },
      },
    ],
  };
};
