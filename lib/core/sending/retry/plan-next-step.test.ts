import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRetryPolicy, type RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { type CallErrorCode, callErrorCodes } from "./call-error.ts";
import { type AttemptOutcome, type PlanInput, planNextStep } from "./plan-next-step.ts";
import { nextDelayMs, scheduledWaitMs } from "./retry-delay.ts";

const answered = (status: number, retryAfterMs: number | null = null): AttemptOutcome => ({
  kind: "response",
  status,
  retryAfterMs,
});
const failed = (code: CallErrorCode): AttemptOutcome => ({ kind: "error", code });

function plan(outcome: AttemptOutcome, more: Partial<PlanInput> = {}) {
  return planNextStep({
    attemptNumber: 1,
    outcome,
    policy: null,
    target: "action",
    random: 0.5,
    ...more,
  });
}

describe("the default schedule", () => {
  it("waits 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h, 10 h and then gives up", () => {
    const seconds = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 36_000];
    for (const [index, wait] of seconds.entries()) {
      expect(plan(answered(503), { attemptNumber: index + 1 })).toMatchObject({
        kind: "retry",
        delayMs: wait * 1_000,
      });
    }
    expect(plan(answered(503), { attemptNumber: 10 })).toMatchObject({
      kind: "failed",
      code: "attempts_exhausted",
    });
    expect(plan(answered(503), { attemptNumber: 11 })).toMatchObject({
      kind: "failed",
      code: "attempts_exhausted",
    });
  });

  it("its jitter goes from -20% to +20%", () => {
    expect(plan(answered(503), { random: 0 })).toMatchObject({ delayMs: 4_000 });
    expect(plan(answered(503), { random: 0.999_999 })).toMatchObject({ delayMs: 6_000 });
  });
});

describe("an action", () => {
  it.each([200, 201, 202, 204, 299])("%i succeeds", (status) => {
    expect(plan(answered(status))).toEqual({ kind: "succeeded" });
    expect(plan(answered(status), { attemptNumber: 99, target: "subscription" })).toEqual({
      kind: "succeeded",
    });
  });

  it.each([408, 425, 429, 500, 501, 502, 503, 504, 520, 599])("%i is retried", (status) => {
    expect(plan(answered(status))).toMatchObject({ kind: "retry" });
  });

  it.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 410, 422, 600, 999])(
    "%i fails at once",
    (status) => {
      expect(plan(answered(status))).toMatchObject({ kind: "failed", code: "not_retried" });
    },
  );

  it.each(["dns", "connect", "tls", "reset", "protocol", "timeout"] as const)(
    "%s is retried",
    (code) => {
      expect(plan(failed(code))).toMatchObject({ kind: "retry" });
    },
  );

  it.each(["blocked", "self_call", "invalid_request", "cancelled"] as const)(
    "%s fails at once",
    (code) => {
      expect(plan(failed(code))).toMatchObject({ kind: "failed", code: "not_retried" });
      expect(plan(failed(code), { target: "subscription" })).toMatchObject({
        kind: "failed",
        code: "not_retried",
      });
    },
  );

  it("its policy decides what is retried and how often", () => {
    const policy: RetryPolicy = {
      maxAttempts: 2,
      initialDelayMs: 1_000,
      maxDelayMs: 60_000,
      on: [404, "timeout"],
    };
    expect(plan(answered(404), { policy })).toMatchObject({ kind: "retry", delayMs: 1_000 });
    expect(plan(failed("timeout"), { policy })).toMatchObject({ kind: "retry" });
    expect(plan(answered(503), { policy })).toMatchObject({ kind: "failed", code: "not_retried" });
    expect(plan(failed("connect"), { policy })).toMatchObject({
      kind: "failed",
      code: "not_retried",
    });
    expect(plan(answered(404), { policy, attemptNumber: 2 })).toMatchObject({
      kind: "failed",
      code: "attempts_exhausted",
    });
  });

  it("the reason says what happened", () => {
    expect(plan(answered(503))).toMatchObject({ reason: "The receiver responded with 503" });
    expect(plan(answered(302))).toMatchObject({
      reason: "The receiver responded with a redirect (302); this is not retried",
    });
    expect(plan(answered(503), { attemptNumber: 10 })).toMatchObject({
      reason: "The receiver responded with 503; attempt 10 of 10 was the last",
    });
  });
});

describe("giving up", () => {
  const policy: RetryPolicy = {
    maxAttempts: 5,
    initialDelayMs: 60_000,
    maxDelayMs: 60_000,
    on: ["5xx"],
    giveUpAfterSeconds: 600,
  };

  it("ends a run whose next attempt would be too late", () => {
    expect(plan(answered(503), { policy, elapsedMs: 539_000 })).toMatchObject({ kind: "retry" });
    expect(plan(answered(503), { policy, elapsedMs: 541_000 })).toMatchObject({
      kind: "failed",
      code: "gave_up",
      reason:
        "The receiver responded with 503; the next attempt would be later than 600 seconds after the start",
    });
    expect(plan(answered(503, 900_000), { policy })).toMatchObject({ code: "gave_up" });
  });
});

describe("a success rule", () => {
  const failure = { isSuccess: false, because: "body.ok is false and must equal true" } as const;

  it("decides instead of the status", () => {
    expect(plan(answered(404), { verdict: { isSuccess: true } })).toEqual({ kind: "succeeded" });
    expect(plan(answered(200), { verdict: failure })).toMatchObject({
      kind: "failed",
      code: "not_retried",
      reason:
        "The receiver responded with 200, but body.ok is false and must equal true; this is not retried",
    });
    const policy: RetryPolicy = { ...defaultRetryPolicy, on: ["unsuccessful"] };
    expect(plan(answered(200), { verdict: failure, policy })).toMatchObject({ kind: "retry" });
  });
});

describe("a subscription", () => {
  it.each([301, 400, 401, 404, 422, 429, 500, 503])(
    "%i is retried, whatever the policy lists",
    (status) => {
      const policy = { ...defaultRetryPolicy, on: [] };
      expect(plan(answered(status), { target: "subscription", policy })).toMatchObject({
        kind: "retry",
      });
    },
  );

  it("410 disables it, even at the last attempt", () => {
    const step = plan(answered(410), { target: "subscription", attemptNumber: 10 });
    expect(step).toMatchObject({ kind: "disable_subscription" });
  });
});

describe("Retry-After", () => {
  it("is a minimum", () => {
    expect(plan(answered(429, 60_000), { random: 0 })).toMatchObject({ delayMs: 60_000 });
    expect(plan(answered(429, 1_000), { random: 0 })).toMatchObject({ delayMs: 4_000 });
  });

  it("is capped at 24 h", () => {
    expect(plan(answered(503, Number.MAX_SAFE_INTEGER))).toMatchObject({ delayMs: 86_400_000 });
  });
});

describe("the planner, for any input", () => {
  const policies = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 20 }),
    initialDelayMs: fc.integer({ min: 1, max: 3_600_000 }),
    maxDelayMs: fc.integer({ min: 1, max: 86_400_000 }),
  });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const retryAfter = fc.option(fc.integer({ min: 0, max: 200_000_000 }));
  const attempt = fc.integer({ min: 1, max: 30 });

  it("without jitter never waits less than before, nor longer than the policy's maximum", () => {
    fc.assert(
      fc.property(policies, attempt, (policy, attemptNumber) => {
        const waitMs = scheduledWaitMs(attemptNumber, policy);
        expect(scheduledWaitMs(attemptNumber + 1, policy)).toBeGreaterThanOrEqual(waitMs);
        expect(waitMs).toBeLessThanOrEqual(policy.maxDelayMs);
        expect(waitMs).toBeGreaterThan(0);
      }),
    );
  });

  it("keeps its jitter within 20%", () => {
    fc.assert(
      fc.property(policies, attempt, random, (policy, attemptNumber, draw) => {
        const waitMs = scheduledWaitMs(attemptNumber, policy);
        const delayMs = nextDelayMs({ attemptNumber, policy, retryAfterMs: null, random: draw });
        expect(Math.abs(delayMs - waitMs)).toBeLessThanOrEqual(waitMs * 0.2 + 0.5);
      }),
    );
  });

  it("never retries before Retry-After, and never later than the longer of the two limits", () => {
    fc.assert(
      fc.property(
        policies,
        attempt,
        random,
        retryAfter,
        (policy, attemptNumber, draw, retryAfterMs) => {
          const delayMs = nextDelayMs({ attemptNumber, policy, retryAfterMs, random: draw });
          expect(delayMs).toBeGreaterThanOrEqual(Math.min(retryAfterMs ?? 0, 86_400_000));
          expect(delayMs).toBeLessThanOrEqual(
            Math.max(86_400_000, Math.ceil(policy.maxDelayMs * 1.2)),
          );
          expect(Number.isSafeInteger(delayMs)).toBe(true);
        },
      ),
    );
  });

  it("ends every run: after the last attempt there is no retry", () => {
    const outcome = fc.oneof(
      fc.integer({ min: 100, max: 999 }).map((status) => answered(status)),
      fc.constantFrom(...callErrorCodes).map(failed),
    );
    const target = fc.constantFrom("action" as const, "subscription" as const);
    fc.assert(
      fc.property(policies, outcome, target, random, (policy, ended, kind, draw) => {
        const full = { ...policy, on: defaultRetryPolicy.on };
        const step = planNextStep({
          attemptNumber: policy.maxAttempts,
          outcome: ended,
          policy: full,
          target: kind,
          random: draw,
        });
        expect(step.kind).not.toBe("retry");
      }),
    );
  });
});
