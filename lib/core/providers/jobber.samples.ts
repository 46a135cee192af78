import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const jobberConsecutive: Consecutive = () => {
  return {
    two: [
      {
        json: {
          data: {
            webHookEvent: {
              topic: "CLIENT_UPDATE",
              itemId: "1",
              occurredAt: "2026-01-02T10:00:00Z",
            },
          },
        },
      },
      {
        json: {
          data: {
            webHookEvent: {
              topic: "CLIENT_UPDATE",
              itemId: "1",
              occurredAt: "2026-01-02T10:00:01Z",
            },
          },
        },
      },
    ],
  };
};
