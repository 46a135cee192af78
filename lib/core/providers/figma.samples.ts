import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const figmaConsecutive: Consecutive = () => {
  const common = {
    webhook_id: "1",
    event_type: "FILE_COMMENT",
    file_key: "f",
    timestamp: "2026-01-02T10:00:00Z",
    retries: 0,
  };
  return {
    two: [{ json: { ...common, comment_id: "1" } }, { json: { ...common, comment_id: "2" } }],
    again: { json: { ...common, comment_id: "1", retries: 1 } },
  };
};
