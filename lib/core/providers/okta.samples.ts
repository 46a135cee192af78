import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const oktaConsecutive: Consecutive = (fresh) => {
  const common = { eventId: fresh.uuid() };
  return {
    two: [
      {
        json: {
          ...common,
          data: { events: [{ uuid: fresh.uuid(), eventType: "user.session.start" }] },
        },
      },
      {
        json: {
          ...common,
          data: { events: [{ uuid: fresh.uuid(), eventType: "user.session.start" }] },
        },
      },
    ],
  };
};
