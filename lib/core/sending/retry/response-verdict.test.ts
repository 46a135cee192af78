import { expect, test } from "vitest";
import { successSchema } from "#lib/schema/act/success.ts";
import { evaluateResponse } from "./response-verdict.ts";

function evaluate(rule: object, status: number, body = "", secretValues: readonly string[] = []) {
  const response = {
    status,
    headers: [["x-state", "done"] as const],
    body: Buffer.from(body),
    truncated: false,
  };
  return evaluateResponse(successSchema.parse(rule), response, { secretValues, nowMs: 0 });
}

const isOk = { all: [{ path: "body.ok", op: "equals", value: true }] };

test.each([
  [{ statuses: [200, 404] }, 404, true],
  [{ statuses: [200, 404] }, 200, true],
  [{ statuses: ["2xx", 409] }, 409, true],
  [{ statuses: ["2xx", 409] }, 503, false],
  [{ statuses: ["4xx"] }, 204, false],
])("%j: %i is a success: %j", (rule, status, isSuccess) => {
  expect(evaluate(rule, status).isSuccess).toBe(isSuccess);
});

test("a response 200 can be a failure, and the reason says why", () => {
  expect(evaluate({ when: isOk }, 200, '{"ok":true}')).toEqual({ isSuccess: true });
  expect(evaluate({ when: isOk }, 200, '{"ok":false}')).toEqual({
    isSuccess: false,
    because: "body.ok is false and must equal true",
  });
  expect(evaluate({ statuses: [201] }, 200)).toEqual({
    isSuccess: false,
    because: "the status must be 201",
  });
});

test("without statuses a condition needs a 2xx too, and other statuses say enough themselves", () => {
  expect(evaluate({ when: isOk }, 500, '{"ok":true}')).toEqual({ isSuccess: false, because: null });
});

test("conditions read the status and headers, and bodies that aren't JSON as text", () => {
  const when = (path: string, value: unknown) => ({
    when: { all: [{ path, op: "equals", value }] },
  });
  expect(evaluate(when('headers["x-state"]', "done"), 200).isSuccess).toBe(true);
  expect(evaluate(when("status", 200), 200).isSuccess).toBe(true);
  expect(evaluate(when("body", "accepted"), 200, "accepted").isSuccess).toBe(true);
});

test("a credential that the response repeats isn't in the reason", () => {
  const when = { all: [{ path: "body.key", op: "equals", value: "other" }] };
  const verdict = evaluate({ when }, 200, '{"key":"secret-value"}', ["secret-value"]);
  expect(JSON.stringify(verdict)).not.toContain("secret-value");
});

test("a rule without statuses and conditions is rejected", () => {
  expect(successSchema.safeParse({}).success).toBe(false);
  expect(successSchema.safeParse({ when: { all: [{ path: "type", op: "exists" }] } }).success).toBe(
    false,
  );
});
