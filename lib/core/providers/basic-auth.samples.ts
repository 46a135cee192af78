import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const basicAuthConsecutive: Consecutive = () => {
  const common = { id: "order_1", type: "order.updated" };
  return {
    two: [{ json: { ...common, status: "paid" } }, { json: { ...common, status: "shipped" } }],
  };
};
