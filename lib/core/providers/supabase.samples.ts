import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const supabaseConsecutive: Consecutive = () => {
  const common = { type: "UPDATE", table: "orders" };
  return {
    two: [{ json: { ...common, record: { id: 1 } } }, { json: { ...common, record: { id: 1 } } }],
  };
};
