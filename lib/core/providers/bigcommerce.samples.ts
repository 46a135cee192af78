import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const bigcommerceConsecutive: Consecutive = (fresh) => {
  const common = { scope: "store/order/updated", data: { type: "order", id: 1 } };
  return {
    two: [
      { json: { ...common, created_at: fresh.seconds } },
      { json: { ...common, created_at: fresh.seconds + 1 } },
    ],
  };
};
