import fc from "fast-check";
import { expect, test } from "vitest";
import { callActionSchema } from "#lib/schema/act/action.ts";
import { defaultRetryPolicy } from "#lib/schema/act/retry-policy.ts";
import {
  describeRetry,
  describeWait,
  findPreset,
  listWaits,
  readRetryDraft,
  retryPresets,
  toRetryDraft,
} from "./retry-draft.ts";

test("the description of a policy matches its delays", () => {
  expect(describeRetry(defaultRetryPolicy)).toBe("10 attempts over about 28 hours");
  expect(describeRetry({ maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 60_000 })).toBe(
    "5 attempts over about 91 seconds",
  );
  expect(describeRetry({ maxAttempts: 2, initialDelayMs: 1_000, maxDelayMs: 60_000 })).toBe(
    "2 attempts over about 1 second",
  );
  expect(describeRetry({ ...defaultRetryPolicy, maxAttempts: 1 })).toMatch(/^1 attempt/);
  expect(listWaits(defaultRetryPolicy).map(describeWait)).toEqual([
    "5 s",
    "30 s",
    "2 min",
    "10 min",
    "30 min",
    "2 h",
    "5 h",
    "10 h",
    "10 h",
  ]);
});

test("every preset is valid for the API and recognized again", () => {
  for (const { id, policy } of retryPresets) {
    expect(callActionSchema.shape.retry.parse(policy)).toEqual(policy);
    expect(findPreset(toRetryDraft(policy))).toBe(id);
  }
  expect(findPreset({ ...toRetryDraft(defaultRetryPolicy), maxAttempts: "9" })).toBeNull();
});

test("a policy survives the form", () => {
  const policy = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 20 }),
    initialDelayMs: fc.integer({ min: 100, max: 86_400_000 }),
    maxDelayMs: fc.integer({ min: 100, max: 86_400_000 }),
    on: fc.uniqueArray(
      fc.constantFrom("connection" as const, "timeout" as const, "5xx" as const, 404, 408, 503),
    ),
  });
  fc.assert(
    fc.property(policy, (given) => {
      const read = readRetryDraft(toRetryDraft(given));
      expect(read.ok && { ...read.policy, on: new Set(read.policy.on) }).toEqual({
        ...given,
        on: new Set(given.on),
      });
    }),
  );
});

test("invalid times and statuses are reported at their field", () => {
  const draft = {
    ...toRetryDraft(defaultRetryPolicy),
    maxAttempts: "x",
    firstWait: "soon",
    maxWait: "2 hours",
    statuses: "408, 200",
  };
  expect(readRetryDraft(draft)).toEqual({
    ok: false,
    errors: [
      { path: "retry.maxAttempts", code: "invalid_value", message: "must be a whole number" },
      {
        path: "retry.initialDelayMs",
        code: "invalid_value",
        message: expect.stringContaining('"5 s"'),
      },
      { path: "retry.on", code: "invalid_value", message: expect.stringContaining("200") },
    ],
  });
});
