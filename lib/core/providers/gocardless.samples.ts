import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const gocardlessConsecutive: Consecutive = (fresh) => {
  return {
    two: [
      {
        json: {
          events: [
            {
              id: `EV${fresh.text(8)}`,
              resource_type: "payments",
              action: "confirmed",
              links: { payment: "PM1" },
            },
          ],
        },
      },
      {
        json: {
          events: [
            {
              id: `EV${fresh.text(8)}`,
              resource_type: "payments",
              action: "paid_out",
              links: { payment: "PM1" },
            },
          ],
        },
      },
    ],
  };
};
