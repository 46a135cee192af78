import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const microsoftGraphConsecutive: Consecutive = () => {
  return {
    two: [
      {
        json: {
          value: [{ changeType: "updated", resource: "me/messages/1", clientState: "state" }],
        },
      },
      {
        json: {
          value: [{ changeType: "updated", resource: "me/messages/1", clientState: "state" }],
        },
      },
    ],
  };
};
