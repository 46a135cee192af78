import { expect, test } from "vitest";
import { verifyFailureReasons } from "#lib/core/verify/scheme/failure.ts";
import { summariseOutcome, summariseRun } from "./summarize-reason.ts";

test("every rejection reason is a short phrase for lists", () => {
  const reasons = [...verifyFailureReasons, "invalid_json", "body_too_large", "method_not_allowed"];
  const phrases = reasons.map((reason) => summariseOutcome({ status: "rejected", reason }));
  expect(phrases.filter((phrase) => !/^[A-Z][\w' ]{3,28}$/.test(phrase ?? ""))).toEqual([]);
  expect(summariseOutcome({ status: "duplicate", reason: null })).toBeNull();
});

test("a failed run says what the receiver did, or why no call was made", () => {
  const answered = { httpStatus: 503, errorCode: null };
  expect(
    summariseRun({ reason: { code: "retry", detail: "The receiver answered 503" }, ...answered }),
  ).toBe("HTTP 503");
  const silent = { httpStatus: null, errorCode: "timeout" };
  expect(
    summariseRun({
      reason: { code: "attempts_exhausted", detail: "…; attempt 3 of 3" },
      ...silent,
    }),
  ).toBe("Timed out");
  const none = { httpStatus: null, errorCode: null };
  expect(
    summariseRun({
      reason: { code: "mapping_failed", detail: "data.x is not in this payload" },
      ...none,
    }),
  ).toBe("Missing field");
  expect(
    summariseRun({ reason: { code: "worker_died", detail: "the worker stopped" }, ...none }),
  ).toBe("Worker died");
  expect(summariseRun({ reason: null, ...answered })).toBeNull();
});
