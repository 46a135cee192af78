import type { HookStatus } from "#lib/schema/hook.ts";
import { describeMoment, describeSpan } from "./describe-moment.ts";
import { explainMissing } from "./explain-missing.ts";
import { maxAhead, type QueueFacts, type RunFacts, type Why, type WhyFacts } from "./why-facts.ts";

/** One sentence for any delivery and action, from what is stored about them. */
export function explainRun(facts: WhyFacts): Why {
  const { run } = facts;
  if (run === null) return explainMissing(facts);
  const again = run.isReplay
    ? ` This run was started again at ${describeMoment(run.createdAt)}.`
    : "";
  const { code, sentence } = explainStatus(facts, run);
  return { code, sentence: `${sentence}${again}` };
}

function explainStatus(facts: WhyFacts, run: RunFacts): Why {
  const { reason } = run;
  switch (run.status) {
    case "succeeded":
      return explainSuccess(facts, run);
    case "failed":
      return explainFailure(facts, run);
    case "skipped":
      return {
        code: "skipped",
        sentence: `Skipped at ${ended(run)}: ${sentenceOf(reason?.detail ?? "its filter didn't match")}`,
      };
    case "cancelled":
      return reason?.code === "action_gone"
        ? { code: "action_deleted", sentence: "Cancelled, because the action was deleted." }
        : {
            code: "cancelled",
            sentence: `Cancelled at ${ended(run)}: ${sentenceOf(reason?.detail ?? "before it ran")}`,
          };
    case "running":
      return {
        code: "running",
        sentence: facts.action.hasSteps
          ? "It is running now."
          : `Attempt ${run.attemptCount + 1} is running now.`,
      };
    case "held":
    case "queued":
    case "retrying":
      return explainWait(facts, run);
    default:
      return run.status satisfies never;
  }
}

/** Longer than a busy queue and one call need. */
const lateMs = 120_000;

function explainSuccess({ action, delivery }: WhyFacts, run: RunFacts): Why {
  const at = ended(run);
  const from = run.isReplay ? run.createdAt : delivery.receivedAt;
  const tookMs = (run.finishedAt ?? run.createdAt).getTime() - from.getTime();
  const handled = run.reason?.code === "failures_handled" ? ` ${run.reason.detail}` : "";
  if (action.hasSteps)
    return { code: "succeeded", sentence: `It succeeded at ${at}, with all its steps.${handled}` };
  if (run.attemptCount > 1)
    return {
      code: "succeeded_late",
      sentence: `It succeeded at ${at} with attempt ${run.attemptCount}, ${describeSpan(tookMs)} later, because the attempts before failed.`,
    };
  if (tookMs > lateMs)
    return {
      code: "succeeded_late",
      sentence: `It succeeded at ${at} with the first attempt. It had waited ${describeSpan(tookMs)} in the queue, or was held.`,
    };
  return { code: "succeeded", sentence: `It succeeded at ${at} with the first attempt.` };
}

function explainFailure({ action }: WhyFacts, run: RunFacts): Why {
  const detail = sentenceOf(run.reason?.detail ?? "the reason isn't stored");
  if (run.reason?.code === "worker_died")
    return {
      code: "quarantined",
      sentence: `Quarantined at ${ended(run)}: ${detail} It isn't tried again until you retry it.`,
    };
  if (run.attemptCount === 0)
    return { code: "failed", sentence: `Failed at ${ended(run)} before any call: ${detail}` };
  const tries = action.hasSteps
    ? count(run.attemptCount, "call")
    : count(run.attemptCount, "attempt");
  return { code: "failed", sentence: `Failed at ${ended(run)} after ${tries}: ${detail}` };
}

/** What an open run waits for. The first thing in its way is named. */
function explainWait(facts: WhyFacts, run: RunFacts): Why {
  const { action, hookStatus, now } = facts;
  if (action.deletedAt !== null)
    return { code: "action_deleted", sentence: "The action was deleted, so it is cancelled soon." };
  if (run.reason?.code === "outcome_unknown")
    return {
      code: "outcome_unknown",
      sentence: "Held for a person: it isn't known whether the call was made. Say what happened.",
    };
  const hold = holds[hookStatus];
  if (hold !== null)
    return {
      code: `hook_${hookStatus}`,
      sentence: action.enabled
        ? `Held: the hook ${hold.why}. It runs when ${hold.until}.`
        : `Held: the hook ${hold.why}, and the action is disabled.`,
    };
  if (!action.enabled)
    return {
      code: "action_disabled",
      sentence: "Held: the action is disabled. Enable it to run it.",
    };
  const { queue } = run;
  if (queue === null) return { code: "due", sentence: "It is due and starts in a moment." };
  if (queue.dueAt > now) return explainDelay(run, queue);
  return explainDue(facts, queue);
}

const holds: Readonly<Record<HookStatus, { readonly why: string; readonly until: string } | null>> =
  {
    active: null,
    pending: { why: "awaits its signing secret", until: "the secret is added" },
    paused: { why: "is paused", until: "the hook is resumed" },
    disabled: { why: "is disabled", until: "the hook is enabled" },
  };

function explainDelay({ reason, attemptCount }: RunFacts, { dueAt }: QueueFacts): Why {
  const at = describeMoment(dueAt);
  switch (reason?.code) {
    case undefined:
      return { code: "scheduled", sentence: `It waits until ${at}.` };
    case "delay":
      return { code: "delayed", sentence: `A step of the action waits until ${at}.` };
    case "worker_stopped":
    case "worker_died":
      return { code: "worker_stopped", sentence: `The worker stopped. It goes on at ${at}.` };
    default:
      return {
        code: "retrying",
        sentence: `Attempt ${attemptCount} failed: ${sentenceOf(reason?.detail ?? "")} The next attempt is at ${at}.`,
      };
  }
}

function explainDue({ action, now }: WhyFacts, queue: QueueFacts): Why {
  const { ahead, inFlight, rateNextAt, wait } = queue;
  if (wait?.kind === "order")
    return {
      code: "order",
      sentence: `It waits for an older run with the same key: ${wait.runId}, of ${describeMoment(wait.createdAt)}.`,
    };
  if (wait?.kind === "receiver")
    return {
      code: "breaker_open",
      sentence: `Held: the receiver is down since ${describeMoment(wait.downSince)}. The next try is at ${describeMoment(wait.nextTryAt)}.`,
    };
  if (!queue.hasWorker)
    return { code: "no_worker", sentence: "It is due, but no worker is running." };
  const behind = ahead === 0 ? "" : ` ${capitalize(describeAhead(ahead))}.`;
  const { maxConcurrency, rateLimit } = action;
  if (rateLimit !== null && rateNextAt !== null && rateNextAt > now)
    return {
      code: "rate_limited",
      sentence: `It waits for the action's rate limit of ${rateLimit.count} in ${count(rateLimit.perSeconds, "second")}. The next run starts at ${describeMoment(rateNextAt)}.${behind}`,
    };
  if (maxConcurrency !== null && inFlight >= maxConcurrency)
    return {
      code: "concurrency",
      sentence: `It waits for a place: the action allows ${count(maxConcurrency, "call")} at a time, and ${inFlight === 1 ? "it is" : "all are"} in use.${behind}`,
    };
  if (ahead > 0) return { code: "queued", sentence: `It waits: ${describeAhead(ahead)}.` };
  return { code: "due", sentence: "It is due and starts in a moment." };
}

function describeAhead(ahead: number): string {
  if (ahead === 1) return "1 earlier run of this action comes first";
  const runs = ahead >= maxAhead ? `more than ${maxAhead}` : `${ahead}`;
  return `${runs} earlier runs of this action come first`;
}

function ended({ finishedAt, createdAt }: RunFacts): string {
  return describeMoment(finishedAt ?? createdAt);
}

function sentenceOf(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function count(number: number, one: string): string {
  return number === 1 ? `1 ${one}` : `${number} ${one}s`;
}
