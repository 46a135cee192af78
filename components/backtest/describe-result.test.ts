import { expect, it } from "vitest";
import { describeResult, type ResultView } from "./describe-result.ts";

const same: ResultView = {
  deliveryId: "d",
  receivedAt: null,
  eventType: null,
  eventId: null,
  changeKey: "",
  outcome: "run",
  currentOutcome: "run",
  isChanged: false,
  reason: null,
  requests: [],
  moreRequests: 0,
  unknownSteps: [],
  responses: {},
  cutLists: [],
};
const request = {
  step: "call",
  item: null,
  kind: "call",
  method: "POST",
  url: "https://a.test/in",
  changes: [{ path: "body.a", before: "1", after: "2" }],
  moreChanges: 0,
} as const;

it.each<[string, Partial<ResultView>]>([
  ["Same as today.", {}],
  ["1 value changes (body.a).", { isChanged: true, requests: [{ ...request, change: "changed" }] }],
  [
    "6 values change (body.a, body.b, body.c, body.d, …), 1 request removed.",
    {
      isChanged: true,
      requests: [
        {
          ...request,
          change: "changed",
          changes: ["a", "b", "c", "d", "e"].map((name) => ({
            path: `body.${name}`,
            before: "1",
            after: "2",
          })),
          moreChanges: 1,
        },
        { ...request, change: "removed" },
      ],
    },
  ],
  [
    "1 request added, 1 request removed.",
    {
      isChanged: true,
      requests: [
        { ...request, change: "added" },
        { ...request, change: "removed" },
      ],
    },
  ],
  ["Today it is skipped.", { isChanged: true, currentOutcome: "skip" }],
  [
    "Today it runs. The filter doesn't match.",
    {
      isChanged: true,
      outcome: "skip",
      reason: { code: "filter_not_matched", message: "The filter doesn't match." },
    },
  ],
  ["POST https://a.test/in", { currentOutcome: null, requests: [{ ...request, change: "new" }] }],
])("a result says: %s", (text, fields) => {
  expect(describeResult({ ...same, ...fields })).toBe(text);
});

it("a result names the version that it is compared with, if it isn't the one in force", () => {
  expect(describeResult({ ...same, currentOutcome: "skip" }, 3)).toBe(
    "In version 3 it is skipped.",
  );
  expect(describeResult(same, 3)).toBe("Same as in version 3.");
});
