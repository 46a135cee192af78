import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const cloudinaryConsecutive: Consecutive = () => {
  const common = { notification_type: "upload", public_id: "a" };
  return {
    two: [{ json: { ...common, version: 1 } }, { json: { ...common, version: 2 } }],
  };
};
