import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const asanaConsecutive: Consecutive = () => {
  return {
    two: [
      {
        json: {
          events: [
            {
              action: "changed",
              resource: { gid: "1", resource_type: "task" },
              created_at: "2026-01-02T10:00:00.001Z",
            },
          ],
        },
      },
      {
        json: {
          events: [
            {
              action: "changed",
              resource: { gid: "1", resource_type: "task" },
              created_at: "2026-01-02T10:00:00.002Z",
            },
          ],
        },
      },
    ],
  };
};
