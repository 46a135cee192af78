import { expect, it } from "vitest";
import { explainReach, type ReachFacts } from "./explain-reach.ts";

const noOne: ReachFacts = {
  type: "order.paid",
  recipient: "cust_1",
  statuses: [],
  isSubscribed: false,
  elsewhere: undefined,
};

it.for<[Partial<ReachFacts>, string | null]>([
  [{ statuses: ["disabled", "active"] }, null],
  [{}, "There is no subscription of cust_1."],
  [{ recipient: null }, "There is no subscription without a recipient."],
  [{ isSubscribed: true }, "None of the subscriptions of cust_1 gets order.paid."],
  [{ statuses: ["pending"] }, "The only subscription of cust_1 that gets order.paid is pending."],
  [
    { statuses: ["disabled", "pending"] },
    "None of the 2 subscriptions of cust_1 that get order.paid is active.",
  ],
  [
    { recipient: null, elsewhere: "cust_2" },
    "There is no subscription without a recipient. A subscription of cust_2 gets order.paid.",
  ],
  [
    { isSubscribed: true, elsewhere: null },
    "None of the subscriptions of cust_1 gets order.paid. A subscription without a recipient gets order.paid.",
  ],
])("says why an event reaches no one: %j", ([facts, text]) => {
  expect(explainReach({ ...noOne, ...facts })).toBe(text);
});
