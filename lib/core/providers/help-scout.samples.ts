import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const helpScoutConsecutive: Consecutive = () => {
  const common = { id: 1, type: "email" };
  return {
    two: [
      {
        headers: { "x-helpscout-event": "example.updated" },
        json: { ...common, userUpdatedAt: "2026-01-02T10:00:00Z" },
      },
      {
        headers: { "x-helpscout-event": "example.updated" },
        json: { ...common, userUpdatedAt: "2026-01-02T10:00:01Z" },
      },
    ],
  };
};
