import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const braintreeConsecutive: Consecutive = () => ({
  two: [
    { form: { bt_payload: "PGtpbmQ+MTwva2luZD4=", bt_signature: "a|b" } },
    { form: { bt_payload: "PGtpbmQ+Mjwva2luZD4=", bt_signature: "a|c" } },
  ],
});
