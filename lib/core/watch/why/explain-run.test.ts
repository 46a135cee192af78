import { describe, expect, it } from "vitest";
import { runStatuses } from "#lib/schema/act/run-states.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { hookStatusSchema } from "#lib/schema/receive/hook.ts";
import { explainRun } from "./explain-run.ts";
import { at, type Change, change, facts, now, queue, run } from "./testing/why-cases.ts";

const rows: readonly [code: string, sentence: string, change: Change][] = [
  ["succeeded", "It succeeded at 2026-11-23 10:00:02 UTC on the first attempt.", { run: {} }],
  [
    "succeeded",
    "It succeeded at 2026-11-23 10:30:00 UTC on the first attempt. It was started again at 2026-11-23 10:29:59 UTC.",
    { run: { isReplay: true, createdAt: at("10:29:59"), finishedAt: at("10:30:00") } },
  ],
  [
    "succeeded",
    "It succeeded at 2026-11-23 10:00:02 UTC. All steps are complete.",
    { run: {}, action: { hasSteps: true } },
  ],
  [
    "succeeded",
    "It succeeded at 2026-11-23 10:00:02 UTC. All steps are complete. " +
      "1 step failed and was handled as the action says.",
    {
      run: {
        reason: {
          code: "failures_handled",
          detail: "1 step failed and was handled as the action says.",
        },
      },
      action: { hasSteps: true },
    },
  ],
  [
    "succeeded_late",
    "It succeeded at 2026-11-23 10:10:00 UTC on attempt 3, after 10 minutes, because earlier attempts failed.",
    { run: { attemptCount: 3, finishedAt: at("10:10:00") } },
  ],
  [
    "succeeded_late",
    "It succeeded at 2026-11-23 10:59:00 UTC on the first attempt, after it was queued or held for 59 minutes.",
    { run: { finishedAt: at("10:59:00") } },
  ],
  [
    "failed",
    "Failed at 2026-11-23 10:00:02 UTC after 10 attempts: HTTP 503.",
    {
      run: {
        status: "failed",
        attemptCount: 10,
        reason: { code: "attempts_exhausted", detail: "HTTP 503" },
      },
    },
  ],
  [
    "failed",
    "Failed at 2026-11-23 10:00:02 UTC after 1 call: Step a: HTTP 400.",
    {
      run: { status: "failed", reason: { code: "not_retried", detail: "Step a: HTTP 400." } },
      action: { hasSteps: true },
    },
  ],
  [
    "failed",
    "Failed at 2026-11-23 10:00:02 UTC before any call: the reason isn't stored.",
    { run: { status: "failed", attemptCount: 0 } },
  ],
  [
    "quarantined",
    "Quarantined at 2026-11-23 10:00:02 UTC: the worker stopped in the middle of " +
      "3 attempts in a row. It won't run again until you retry it.",
    {
      run: {
        status: "failed",
        reason: {
          code: "worker_died",
          detail: "the worker stopped in the middle of 3 attempts in a row",
        },
      },
    },
  ],
  [
    "skipped",
    "Skipped at 2026-11-23 10:00:02 UTC: type is order.paid, not order.shipped.",
    {
      run: {
        status: "skipped",
        reason: { code: "filter_not_matched", detail: "type is order.paid, not order.shipped" },
      },
    },
  ],
  [
    "cancelled",
    "Canceled at 2026-11-23 10:00:02 UTC: It was canceled manually.",
    {
      run: {
        status: "cancelled",
        reason: { code: "cancelled", detail: "It was canceled manually." },
      },
    },
  ],
  [
    "action_deleted",
    "Canceled because the action was deleted.",
    {
      run: {
        status: "cancelled",
        reason: { code: "action_gone", detail: "The action was deleted." },
      },
      action: { deletedAt: now },
    },
  ],
  [
    "duplicate",
    "It didn't run because the delivery repeats an earlier one.",
    { delivery: { status: "duplicate" } },
  ],
  [
    "rejected",
    "It didn't run because the delivery was rejected: Signature doesn't match any active secret.",
    {
      delivery: {
        status: "rejected",
        reason: "signature_mismatch",
        detail: "Signature doesn't match any active secret.",
      },
    },
  ],
  [
    "rejected",
    "It didn't run because the delivery was rejected: signature_mismatch.",
    { delivery: { status: "rejected", reason: "signature_mismatch" } },
  ],
  [
    "pending",
    "It hasn't run because the hook had no signing secret. It runs once the delivery is verified.",
    { delivery: { status: "pending" } },
  ],
  [
    "handshake",
    "It didn't run because the request was a handshake: the provider only checked the URL.",
    { delivery: { status: "handshake" } },
  ],
  [
    "batch",
    "This request has several events. Each is its own delivery: look there for its run.",
    { delivery: { status: "batch" } },
  ],
  [
    "created_later",
    "It didn't run because the action was created at 2026-11-23 10:30:00 " +
      "UTC, after the delivery. Replay the delivery to run it.",
    { action: { createdAt: at("10:30:00") } },
  ],
  [
    "action_deleted",
    "It didn't run. The action was deleted at 2026-11-23 10:30:00 UTC.",
    { action: { deletedAt: at("10:30:00") } },
  ],
  [
    "was_disabled",
    "It didn't run because the action was disabled when the delivery arrived. Replay the delivery to run it.",
    {},
  ],
  [
    "action_disabled",
    "It didn't run because the action was disabled when the delivery " +
      "arrived, and still is. Enable it, and replay the delivery.",
    { action: { enabled: false } },
  ],
];

describe("why an action did or didn't run", () => {
  it.each(rows)("%s: %s", (code, sentence, changed) => {
    expect(explainRun(change(changed))).toEqual({ code, sentence });
  });

  it("has one sentence for any state of a delivery, a hook, an action, and a run", () => {
    for (const status of deliveryStatuses)
      for (const hookStatus of hookStatusSchema.options)
        for (const runStatus of [null, ...runStatuses])
          for (const enabled of [true, false])
            for (const withQueue of [null, queue]) {
              const ofRun =
                runStatus === null ? null : { ...run, status: runStatus, queue: withQueue };
              const { code, sentence } = explainRun({
                ...facts,
                hookStatus,
                delivery: { ...facts.delivery, status },
                action: { ...facts.action, enabled },
                run: ofRun,
              });
              expect(code).toMatch(/^[a-z_]+$/);
              expect(sentence).toMatch(/^[A-Z].*\.$/);
            }
  });
});
