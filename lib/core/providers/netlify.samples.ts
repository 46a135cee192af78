import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const netlifyConsecutive: Consecutive = () => {
  const common = { id: "d1", state: "building" };
  return {
    two: [
      {
        headers: { "x-netlify-event": "example.updated" },
        json: { ...common, updated_at: "2026-01-02T10:00:00.001Z" },
      },
      {
        headers: { "x-netlify-event": "example.updated" },
        json: { ...common, updated_at: "2026-01-02T10:00:00.002Z" },
      },
    ],
  };
};
