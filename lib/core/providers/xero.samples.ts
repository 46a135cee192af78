import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const xeroConsecutive: Consecutive = () => {
  return {
    two: [
      {
        json: {
          events: [
            { resourceId: "1", eventType: "UPDATE", eventDateUtc: "2026-01-02T10:00:00.001" },
          ],
        },
      },
      {
        json: {
          events: [
            { resourceId: "1", eventType: "UPDATE", eventDateUtc: "2026-01-02T10:00:00.002" },
          ],
        },
      },
    ],
  };
};
