import { expect, it } from "vitest";
import { explainSubscription, type SubscriptionFacts } from "./explain-subscription.ts";

const active: SubscriptionFacts = {
  status: "active",
  statusReason: null,
  isFailing: false,
  ordered: false,
  recipient: "cust_42",
  last: null,
  published: "none",
};
const failed = {
  status: "retrying",
  httpStatus: 503,
  code: "retry",
  detail: "HTTP 503.",
  isTest: false,
} as const;
const sent = { httpStatus: null, code: null, detail: null, isTest: false } as const;

it.each<[Partial<SubscriptionFacts>, RegExp]>([
  [{ status: "pending" }, /no events until its URL answers the challenge/],
  [
    { status: "disabled", statusReason: { code: "gone", detail: "410" } },
    /because the receiver responded with 410/,
  ],
  [{ status: "disabled", statusReason: { code: "manual", detail: "" } }, /disabled manually/],
  [
    { status: "disabled", statusReason: { code: "failing", detail: "" } },
    /every call failed for five days/,
  ],
  [
    { isFailing: true, last: failed },
    /every recent call failed. The receiver last responded with HTTP 503/,
  ],
  [
    { isFailing: true, last: { ...failed, httpStatus: 10, detail: "Kafka replied 10 MESSAGE" } },
    /every recent call failed\. Kafka replied 10 MESSAGE\. After/,
  ],
  [{ last: failed, ordered: true }, /Later events wait for it/],
  [{ last: { ...failed, status: "skipped" } }, /didn't match the filter/],
  [
    { last: { ...failed, status: "skipped", code: "skipped_by_transform" } },
    /not sent because the transform returned null/,
  ],
  [
    { last: { ...sent, status: "succeeded", httpStatus: 204 } },
    /^It gets events\. The receiver accepted the last one with HTTP 204\.$/,
  ],
  [
    { last: { ...sent, status: "succeeded", httpStatus: 204, isTest: true } },
    /^The test event arrived\. The receiver accepted it with HTTP 204\.$/,
  ],
  [{ last: { ...sent, status: "queued" } }, /last event is queued/],
  [{ last: { ...sent, status: "held" } }, /last event is held/],
  [{}, /no event for cust_42 was published/],
  [
    { recipient: null, published: "other_types" },
    /without a recipient is of one of its event types/,
  ],
  [{ published: "before_it" }, /before it was created/],
])("%o is explained by its cause", (facts, text) => {
  expect(explainSubscription({ ...active, ...facts }).text).toMatch(text);
});
