import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const hubspotV2Consecutive: Consecutive = () => {
  const common = { objectId: 1 };
  return {
    two: [
      { json: { ...common, properties: { email: "a@example.com" } } },
      { json: { ...common, properties: { email: "a@example.com" } } },
    ],
  };
};
