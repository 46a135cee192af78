import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const plaidConsecutive: Consecutive = () => {
  const common = {
    webhook_type: "TRANSACTIONS",
    webhook_code: "SYNC_UPDATES_AVAILABLE",
    item_id: "i1",
  };
  return {
    two: [
      { json: { ...common, environment: "production" } },
      { json: { ...common, environment: "production" } },
    ],
  };
};
