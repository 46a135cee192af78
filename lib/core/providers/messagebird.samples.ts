import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const messagebirdConsecutive: Consecutive = () => {
  const common = { type: "message.updated" };
  return {
    two: [
      {
        json: {
          ...common,
          message: { id: "m1", status: "sent", updatedDatetime: "2026-01-02T10:00:00Z" },
        },
      },
      {
        json: {
          ...common,
          message: { id: "m1", status: "delivered", updatedDatetime: "2026-01-02T10:00:00Z" },
        },
      },
    ],
  };
};
