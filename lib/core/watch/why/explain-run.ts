import { capitalize } from "#lib/base/capitalize.ts";
import { endSentence } from "#lib/base/end-sentence.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { describeCount, describeMoment } from "./describe-moment.ts";
import { explainMissing } from "./explain-missing.ts";
import { maxAhead, type QueueFacts, type RunFacts, type Why, type WhyFacts } from "./why-facts.ts";

/** Explains in one sentence why an action did or didn't run on a delivery. */
export function explainRun(facts: WhyFacts): Why {
  const { run } = facts;
  if (run === null) return explainMissing(facts);
  const again = run.isReplay ? ` It was started again at ${describeMoment(run.createdAt)}.` : "";
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
        sentence: `Skipped at ${ended(run)}: ${endSentence(reason?.detail ?? "its filter didn't match")}`,
      };
    case "cancelled":
      return reason?.code === "action_gone"
        ? { code: "action_deleted", sentence: "Canceled because the action was deleted." }
        : {
            code: "cancelled",
            sentence: `Canceled at ${ended(run)}: ${endSentence(reason?.detail ?? "the reason isn't stored")}`,
          };
    case "running":
      return {
        code: "running",
        sentence: facts.action.hasSteps
          ? "It's running now."
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

/** A run that took longer was delayed by more than a busy queue and one call. */
const lateMs = 120_000;

function explainSuccess({ action, delivery }: WhyFacts, run: RunFacts): Why {
  const at = ended(run);
  const from = run.isReplay ? run.createdAt : delivery.receivedAt;
  const tookMs = (run.finishedAt ?? run.createdAt).getTime() - from.getTime();
  const handled = run.reason?.code === "failures_handled" ? ` ${run.reason.detail}` : "";
  if (action.hasSteps)
    return {
      code: "succeeded",
      sentence: `It succeeded at ${at}. All steps are complete.${handled}`,
    };
  if (run.attemptCount > 1)
    return {
      code: "succeeded_late",
      sentence:
        `It succeeded at ${at} on attempt ${run.attemptCount}, after ` +
        `${describeSpan(tookMs / 1_000)}, because earlier attempts failed.`,
    };
  if (tookMs > lateMs)
    return {
      code: "succeeded_late",
      sentence:
        `It succeeded at ${at} on the first attempt, after it was queued or held for ` +
        `${describeSpan(tookMs / 1_000)}.`,
    };
  return { code: "succeeded", sentence: `It succeeded at ${at} on the first attempt.` };
}

function explainFailure({ action }: WhyFacts, run: RunFacts): Why {
  const detail = endSentence(run.reason?.detail ?? "the reason isn't stored");
  if (run.reason?.code === "worker_died")
    return {
      code: "quarantined",
      sentence: `Quarantined at ${ended(run)}: ${detail} It won't run again until you retry it.`,
    };
  if (run.attemptCount === 0)
    return { code: "failed", sentence: `Failed at ${ended(run)} before any call: ${detail}` };
  const tries = action.hasSteps
    ? describeCount(run.attemptCount, "call")
    : describeCount(run.attemptCount, "attempt");
  return { code: "failed", sentence: `Failed at ${ended(run)} after ${tries}: ${detail}` };
}

/** Names the first thing that an open run is waiting for. */
function explainWait(facts: WhyFacts, run: RunFacts): Why {
  const { action, hookStatus, now } = facts;
  if (action.deletedAt !== null)
    return {
      code: "action_deleted",
      sentence: "The action was deleted, so this run will be canceled soon.",
    };
  if (run.reason?.code === "outcome_unknown")
    return {
      code: "outcome_unknown",
      sentence: "Held: we don't know whether the call was made. Say what happened to continue.",
    };
  const hold = holds[hookStatus];
  if (hold !== null)
    return {
      code: `hook_${hookStatus}`,
      sentence: action.enabled
        ? `Held: the hook ${hold.why}. The run starts once ${hold.until}.`
        : `Held: the hook ${hold.why}, and the action is disabled.`,
    };
  if (!action.enabled)
    return {
      code: "action_disabled",
      sentence: "Held: the action is disabled. Enable the action to run it.",
    };
  const { queue } = run;
  if (queue === null) return { code: "due", sentence: "It's due and will start in a moment." };
  if (queue.dueAt > now) return explainDelay(run, queue);
  return explainDue(facts, queue);
}

const holds: Readonly<Record<HookStatus, { readonly why: string; readonly until: string } | null>> =
  {
    active: null,
    pending: { why: "has no signing secret yet", until: "you add the secret" },
    paused: { why: "is paused", until: "you resume the hook" },
    disabled: { why: "is disabled", until: "you enable the hook" },
  };

function explainDelay({ reason, attemptCount }: RunFacts, { dueAt }: QueueFacts): Why {
  const at = describeMoment(dueAt);
  switch (reason?.code) {
    case undefined:
      return { code: "scheduled", sentence: `It's scheduled for ${at}.` };
    case "delay":
      return { code: "delayed", sentence: `A delay step is waiting until ${at}.` };
    case "rate_limited":
      return {
        code: "rate_limited",
        sentence: `A step is waiting for the rate limit of its destination. It continues at ${at}.`,
      };
    case "receiver_down":
      return {
        code: "breaker_open",
        sentence: `Held: the receiver that a step calls is down. The next try is at ${at}.`,
      };
    case "worker_stopped":
    case "worker_died":
      return {
        code: "worker_stopped",
        sentence: `The worker stopped. The run continues at ${at}.`,
      };
    default:
      return {
        code: "retrying",
        sentence: `Attempt ${attemptCount} failed: ${endSentence(reason?.detail ?? "")} The next attempt is at ${at}.`,
      };
  }
}

function explainDue({ action, now }: WhyFacts, queue: QueueFacts): Why {
  const { ahead, inFlight, rateNextAt, wait } = queue;
  if (wait?.kind === "order")
    return {
      code: "order",
      sentence:
        "It's waiting for an older run with the same key: " +
        `${wait.runId}, created at ${describeMoment(wait.createdAt)}.`,
    };
  if (wait?.kind === "receiver")
    return {
      code: "breaker_open",
      sentence:
        "Held: the receiver has been down since " +
        `${describeMoment(wait.downSince)}. The next try is at ` +
        `${describeMoment(wait.nextTryAt)}.`,
    };
  if (wait?.kind === "action")
    return {
      code: "action_held",
      sentence:
        `Held since ${describeMoment(wait.heldSince)}: ` +
        `${endSentence(wait.reason)} Change the action or release it.`,
    };
  if (!queue.hasWorker)
    return { code: "no_worker", sentence: "It's due, but no worker is running. Start a worker." };
  const behind = ahead === 0 ? "" : ` ${capitalize(describeAhead(ahead))}.`;
  const { maxConcurrency, rateLimit } = action;
  if (rateLimit !== null && rateNextAt !== null && rateNextAt > now)
    return {
      code: "rate_limited",
      sentence:
        "It's waiting for the action's rate limit: " +
        `${describeCount(rateLimit.count, "run")} every ` +
        `${describeCount(rateLimit.perSeconds, "second")}. The next run starts at ` +
        `${describeMoment(rateNextAt)}.${behind}`,
    };
  if (maxConcurrency !== null && inFlight >= maxConcurrency)
    return {
      code: "concurrency",
      sentence: `It's waiting for a call to end: the action allows ${maxConcurrency} at a time.${behind}`,
    };
  if (ahead > 0) return { code: "queued", sentence: `It's queued: ${describeAhead(ahead)}.` };
  return { code: "due", sentence: "It's due and will start in a moment." };
}

function describeAhead(ahead: number): string {
  if (ahead === 1) return "1 earlier run of this action goes first";
  const runs = ahead >= maxAhead ? `more than ${maxAhead}` : `${ahead}`;
  return `${runs} earlier runs of this action go first`;
}

function ended({ finishedAt, createdAt }: RunFacts): string {
  return describeMoment(finishedAt ?? createdAt);
}
