import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const mailchimpConsecutive: Consecutive = () => ({
  two: [
    { form: { type: "profile", fired_at: "2026-01-02 10:00:00", "data[id]": "1" } },
    { form: { type: "profile", fired_at: "2026-01-02 10:00:01", "data[id]": "1" } },
  ],
});
