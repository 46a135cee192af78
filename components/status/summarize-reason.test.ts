import { expect, test } from "vitest";
import { verifyFailureReasons } from "#lib/core/verify/scheme/failure.ts";
import { summarizeOutcome, summarizeRun } from "./summarize-reason.ts";

test("every rejection reason is a short phrase for lists", () => {
  const reasons = [...verifyFailureReasons, "invalid_json", "body_too_large", "method_not_allowed"];
  const phrases = reasons.map((reason) => summarizeOutcome({ status: "rejected", reason }));
  expect(phrases.filter((phrase) => !/^[A-Z][\w' ]{3,28}$/.test(phrase ?? ""))).toEqual([]);
  expect(summarizeOutcome({ status: "duplicate", reason: null })).toBeNull();
});

test("a failed run says what the receiver did, or why no call was made", () => {
  const answered = { httpStatus: 503, errorCode: null };
  expect(
    summarizeRun({
      reason: { code: "retry", detail: "The receiver responded with 503" },
      ...answered,
    }),
  ).toBe("Unavailable (503)");
  const refused = {
    code: "not_retried",
    detail: "The receiver responded with 422; this is not retried",
  };
  expect(summarizeRun({ reason: refused, httpStatus: 422, errorCode: null })).toBe("Refused (422)");
  expect(summarizeRun({ reason: refused, httpStatus: 400, errorCode: null })).toBe("HTTP 400");
  expect(summarizeRun({ reason: refused, httpStatus: 10, errorCode: null })).toBe("Error 10");
  const gone = {
    code: "gone",
    detail: "The receiver responded with 410: it wants no more events.",
  };
  expect(summarizeRun({ reason: gone, httpStatus: 410, errorCode: null })).toBe("Gone (410)");
  const silent = { httpStatus: null, errorCode: "timeout" };
  expect(
    summarizeRun({
      reason: { code: "attempts_exhausted", detail: "…; attempt 3 of 3" },
      ...silent,
    }),
  ).toBe("Timed out");
  const none = { httpStatus: null, errorCode: null };
  expect(
    summarizeRun({
      reason: { code: "mapping_failed", detail: "data.x is not in this payload" },
      ...none,
    }),
  ).toBe("Missing field");
  expect(
    summarizeRun({ reason: { code: "worker_died", detail: "the worker stopped" }, ...none }),
  ).toBe("Worker died");
  expect(summarizeRun({ reason: null, ...answered })).toBeNull();
});
