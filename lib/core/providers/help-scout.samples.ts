import type { Consecutive } from "./shapes/sample-event.ts";

/** https://developer.helpscout.com/webhooks/: one change, and objects with the same number. */
export const helpScoutConsecutive: Consecutive = () => {
  const event = (type: string, json: object) => ({ headers: { "x-helpscout-event": type }, json });
  const conversation = { id: 1, type: "email", userUpdatedAt: "2026-01-02T10:00:00Z" };
  return {
    two: [event("convo.created", conversation), event("convo.assigned", conversation)],
    more: [
      { two: [event("convo.deleted", { id: 7 }), event("customer.deleted", { id: 7 })] },
      {
        two: [
          event("convo.status", conversation),
          event("convo.status", { ...conversation, userUpdatedAt: "2026-01-02T10:00:01Z" }),
        ],
      },
    ],
  };
};
