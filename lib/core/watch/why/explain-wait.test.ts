import { describe, expect, it } from "vitest";
import { explainRun } from "./explain-run.ts";
import { at, type Change, change, now } from "./testing/why-cases.ts";

const retry = { code: "retry", detail: "HTTP 503" };
const rows: readonly [code: string, sentence: string, change: Change][] = [
  ["running", "Attempt 2 is running now.", { run: { status: "running", finishedAt: null } }],
  [
    "running",
    "It's running now.",
    { run: { status: "running", finishedAt: null }, action: { hasSteps: true } },
  ],
  [
    "action_deleted",
    "The action was deleted, so this run will be canceled soon.",
    { queue: {}, action: { deletedAt: now } },
  ],
  [
    "outcome_unknown",
    "Held: we don't know whether the call was made. Say what happened to continue.",
    {
      queue: {},
      run: { status: "held", reason: { code: "outcome_unknown", detail: "Step a." } },
    },
  ],
  [
    "hook_paused",
    "Held: the hook is paused. The run starts once you resume the hook.",
    { queue: {}, run: { status: "held" }, hookStatus: "paused" },
  ],
  [
    "hook_disabled",
    "Held: the hook is disabled, and the action is disabled.",
    { queue: {}, run: { status: "held" }, hookStatus: "disabled", action: { enabled: false } },
  ],
  [
    "hook_pending",
    "Held: the hook has no signing secret yet. The run starts once you add the secret.",
    { queue: {}, run: { status: "held" }, hookStatus: "pending" },
  ],
  [
    "action_disabled",
    "Held: the action is disabled. Enable the action to run it.",
    { queue: {}, run: { status: "held" }, action: { enabled: false } },
  ],
  [
    "breaker_open",
    "Held: the receiver has been down since 2026-11-23 10:42:00 UTC. The next try is at 2026-11-23 11:02:00 UTC.",
    {
      queue: { wait: { kind: "receiver", downSince: at("10:42:00"), nextTryAt: at("11:02:00") } },
      run: { status: "held" },
    },
  ],
  [
    "action_held",
    "Held since 2026-11-23 10:42:00 UTC: Its templates took too long. Change the action or release it.",
    {
      queue: {
        wait: {
          kind: "action",
          heldSince: at("10:42:00"),
          reason: "Its templates took too long.",
        },
      },
      run: { status: "held" },
    },
  ],
  [
    "rate_limited",
    "A step is waiting for the rate limit of its destination. It continues at 2026-11-23 11:30:00 UTC.",
    {
      queue: { dueAt: at("11:30:00") },
      run: { status: "retrying", reason: { code: "rate_limited", detail: "Step a." } },
      action: { hasSteps: true },
    },
  ],
  [
    "breaker_open",
    "Held: the receiver that a step calls is down. The next try is at 2026-11-23 11:30:00 UTC.",
    {
      queue: { dueAt: at("11:30:00") },
      run: { status: "retrying", reason: { code: "receiver_down", detail: "Step a." } },
      action: { hasSteps: true },
    },
  ],
  [
    "order",
    "It's waiting for an older run with the same key: 01a2, created at 2026-11-23 10:40:00 UTC.",
    {
      queue: {
        wait: { kind: "order", runId: "01a2", deliveryId: "01a1", createdAt: at("10:40:00") },
      },
    },
  ],
  [
    "no_worker",
    "It's due, but no worker is running. Start a worker.",
    { queue: { hasWorker: false } },
  ],
  [
    "rate_limited",
    "It's waiting for the action's rate limit: 5 runs every 60 seconds. The next run " +
      "starts at 2026-11-23 11:00:12 UTC. 2 earlier runs of this action go first.",
    {
      queue: { rateNextAt: at("11:00:12"), ahead: 2 },
      action: { rateLimit: { count: 5, perSeconds: 60 } },
    },
  ],
  [
    "concurrency",
    "It's waiting for a call to end: the action allows 2 at a time.",
    { queue: { inFlight: 2 }, action: { maxConcurrency: 2 } },
  ],
  [
    "concurrency",
    "It's waiting for a call to end: the action allows 1 at a time. 1 earlier run of this action goes first.",
    { queue: { inFlight: 1, ahead: 1 }, action: { maxConcurrency: 1 } },
  ],
  [
    "queued",
    "It's queued: more than 1000 earlier runs of this action go first.",
    { queue: { ahead: 1_000 } },
  ],
  ["queued", "It's queued: 1 earlier run of this action goes first.", { queue: { ahead: 1 } }],
  ["due", "It's due and will start in a moment.", { queue: {} }],
  ["due", "It's due and will start in a moment.", { run: { status: "queued", finishedAt: null } }],
  [
    "scheduled",
    "It's scheduled for 2026-11-23 11:30:00 UTC.",
    { queue: { dueAt: at("11:30:00") } },
  ],
  [
    "delayed",
    "A delay step is waiting until 2026-11-23 11:30:00 UTC.",
    {
      queue: { dueAt: at("11:30:00") },
      run: { status: "retrying", reason: { code: "delay", detail: "Step wait." } },
    },
  ],
  [
    "worker_stopped",
    "The worker stopped. The run continues at 2026-11-23 11:00:01 UTC.",
    {
      queue: { dueAt: at("11:00:01") },
      run: {
        status: "retrying",
        reason: { code: "worker_stopped", detail: "The worker stopped." },
      },
    },
  ],
  [
    "retrying",
    "Attempt 2 failed: HTTP 503. The next attempt is at 2026-11-23 11:05:00 UTC.",
    {
      queue: { dueAt: at("11:05:00") },
      run: { status: "retrying", attemptCount: 2, reason: retry },
    },
  ],
];

describe("what an open run waits for", () => {
  it.each(rows)("%s: %s", (code, sentence, changed) => {
    expect(explainRun(change(changed))).toEqual({ code, sentence });
  });
});
