import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const cloudflareStreamConsecutive: Consecutive = () => {
  const common = { uid: "v1", status: { state: "inprogress" } };
  return {
    two: [
      { json: { ...common, modified: "2026-01-02T10:00:00.000001Z" } },
      { json: { ...common, modified: "2026-01-02T10:00:00.000002Z" } },
    ],
  };
};
