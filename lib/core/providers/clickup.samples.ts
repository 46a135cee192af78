import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const clickupConsecutive: Consecutive = () => {
  const common = { event: "taskUpdated", task_id: "t1", webhook_id: "w1" };
  return {
    two: [
      { json: { ...common, history_items: [{ id: "1" }] } },
      { json: { ...common, history_items: [{ id: "2" }] } },
    ],
  };
};
