import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const mandrillConsecutive: Consecutive = (fresh) => ({
  two: [
    {
      form: { mandrill_events: JSON.stringify([{ event: "click", _id: "m1", ts: fresh.seconds }]) },
    },
    {
      form: {
        mandrill_events: JSON.stringify([{ event: "click", _id: "m1", ts: fresh.seconds + 1 }]),
      },
    },
  ],
});
