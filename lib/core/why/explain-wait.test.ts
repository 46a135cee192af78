import { describe, expect, it } from "vitest";
import { explainRun } from "./explain-run.ts";
import { at, type Change, change, now } from "./testing/why-cases.ts";

const retry = { code: "retry", detail: "HTTP 503" };
const rows: readonly [code: string, sentence: string, change: Change][] = [
  ["running", "Attempt 2 is running now.", { run: { status: "running", finishedAt: null } }],
  [
    "running",
    "It is running now.",
    { run: { status: "running", finishedAt: null }, action: { hasSteps: true } },
  ],
  [
    "action_deleted",
    "The action was deleted, so it is cancelled soon.",
    { queue: {}, action: { deletedAt: now } },
  ],
  [
    "outcome_unknown",
    "Held for a person: it isn't known whether the call was made. Say what happened.",
    {
      queue: {},
      run: { status: "held", reason: { code: "outcome_unknown", detail: "Step a." } },
    },
  ],
  [
    "hook_paused",
    "Held: the hook is paused. It runs when the hook is resumed.",
    { queue: {}, run: { status: "held" }, hookStatus: "paused" },
  ],
  [
    "hook_disabled",
    "Held: the hook is disabled, and the action is disabled.",
    { queue: {}, run: { status: "held" }, hookStatus: "disabled", action: { enabled: false } },
  ],
  [
    "hook_pending",
    "Held: the hook awaits its signing secret. It runs when the secret is added.",
    { queue: {}, run: { status: "held" }, hookStatus: "pending" },
  ],
  [
    "action_disabled",
    "Held: the action is disabled. Enable it to run it.",
    { queue: {}, run: { status: "held" }, action: { enabled: false } },
  ],
  [
    "breaker_open",
    "Held: the receiver is down since 2026-11-23 10:42:00 UTC. The next try is at 2026-11-23 11:02:00 UTC.",
    {
      queue: { wait: { kind: "receiver", downSince: at("10:42:00"), nextTryAt: at("11:02:00") } },
      run: { status: "held" },
    },
  ],
  [
    "order",
    "It waits for an older run with the same key: 01a2, of 2026-11-23 10:40:00 UTC.",
    { queue: { wait: { kind: "order", runId: "01a2", createdAt: at("10:40:00") } } },
  ],
  ["no_worker", "It is due, but no worker is running.", { queue: { hasWorker: false } }],
  [
    "rate_limited",
    "It waits for the action's rate limit of 5 in 60 seconds. The next run starts at 2026-11-23 11:00:12 UTC. 2 earlier runs of this action come first.",
    {
      queue: { rateNextAt: at("11:00:12"), ahead: 2 },
      action: { rateLimit: { count: 5, perSeconds: 60 } },
    },
  ],
  [
    "concurrency",
    "It waits for a place: the action allows 2 calls at a time, and all are in use.",
    { queue: { inFlight: 2 }, action: { maxConcurrency: 2 } },
  ],
  [
    "concurrency",
    "It waits for a place: the action allows 1 call at a time, and it is in use. 1 earlier run of this action comes first.",
    { queue: { inFlight: 1, ahead: 1 }, action: { maxConcurrency: 1 } },
  ],
  [
    "queued",
    "It waits: more than 1000 earlier runs of this action come first.",
    { queue: { ahead: 1_000 } },
  ],
  ["queued", "It waits: 1 earlier run of this action comes first.", { queue: { ahead: 1 } }],
  ["due", "It is due and starts in a moment.", { queue: {} }],
  ["due", "It is due and starts in a moment.", { run: { status: "queued", finishedAt: null } }],
  ["scheduled", "It waits until 2026-11-23 11:30:00 UTC.", { queue: { dueAt: at("11:30:00") } }],
  [
    "delayed",
    "A step of the action waits until 2026-11-23 11:30:00 UTC.",
    {
      queue: { dueAt: at("11:30:00") },
      run: { status: "retrying", reason: { code: "delay", detail: "Step wait." } },
    },
  ],
  [
    "worker_stopped",
    "The worker stopped. It goes on at 2026-11-23 11:00:01 UTC.",
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
