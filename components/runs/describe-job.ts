import type { Tone } from "#components/ui/status/badge.tsx";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
import { trialSize } from "#lib/schema/act/run-limits.ts";

export type JobKind = "retry" | "cancel" | "replay" | "replay_missing" | "accept" | "take_in";

type DescribedJob = {
  /** Null: it is in progress, and a bar shows how far. */
  readonly badge: { readonly tone: Tone; readonly label: string } | null;
  /** The number of items that are done. */
  readonly done: number;
  /** "1,200 of 5,200", or why it paused. */
  readonly lead: string | null;
  readonly parts: readonly JobPart[];
};

/** "300 failed again", with the status of the list that shows these runs. Null: no list. */
export type JobPart = { readonly text: string; readonly status: string | null };

type Job = JobState & {
  readonly kind: JobKind;
  /** Its progress, if it is about other things than runs. */
  readonly seen?: number;
};

/** Says what became of a job's runs. It is only green if nothing failed. */
export function describeJob(job: Job): DescribedJob {
  const { kind, openCount, succeededCount, failedCount, skippedCount, cancelledCount } = job;
  const ended = succeededCount + failedCount + skippedCount + cancelledCount;
  const done = kind === "cancel" ? job.changedCount : (job.seen ?? ended);
  const failed = kind === "retry" ? "failed again" : "failed";
  const isOfDeliveries = kind === "accept" || kind === "take_in";
  const succeeded = isOfDeliveries ? "runs succeeded" : "succeeded";
  // Accepting a delivery of a hook without actions queues none.
  const hasRuns = !isOfDeliveries || ended + openCount > 0;
  const outcomes: readonly (JobPart & { readonly count: number; readonly isShown: boolean })[] = [
    { count: succeededCount, text: succeeded, status: "succeeded", isShown: hasRuns },
    { count: failedCount, text: failed, status: "failed", isShown: hasRuns },
    { count: skippedCount, text: "skipped", status: "skipped", isShown: skippedCount > 0 },
    { count: cancelledCount, text: "canceled", status: "cancelled", isShown: cancelledCount > 0 },
    { count: openCount, text: "not ended yet", status: "", isShown: openCount > 0 },
  ];
  const left = job.total === null ? 0 : job.total - (job.seen ?? job.changedCount);
  const isHalted = job.status === "paused" || job.status === "cancelled";
  const parts =
    kind === "cancel"
      ? [{ text: count(job.changedCount, "canceled"), status: "cancelled" }]
      : outcomes
          .filter(({ isShown }) => isShown)
          .map((part) => ({ text: count(part.count, part.text), status: part.status }));
  return {
    badge: chooseBadge(job),
    done,
    lead: describeLead(job, done),
    parts: [
      ...parts,
      ...(isHalted && left > 0 ? [{ text: count(left, "left alone"), status: null }] : []),
    ],
  };
}

function describeLead(job: Job, done: number): string | null {
  if (job.status === "paused") return job.pauseReason;
  if (job.problem !== null) return job.problem;
  if (chooseBadge(job) !== null) return null;
  const trial = job.isTrial ? `Trying ${trialSize} first · ` : "";
  const of = job.total === null ? "" : ` of ${job.total.toLocaleString("en")}`;
  return `${trial}${done.toLocaleString("en")}${of}`;
}

function chooseBadge({
  status,
  openCount,
  failedCount,
  succeededCount,
  problem,
}: Job): DescribedJob["badge"] {
  switch (status) {
    case "running":
      return problem === null ? null : { tone: "caution", label: "Failing" };
    case "paused":
      return { tone: "caution", label: "Paused" };
    case "cancelled":
      return { tone: "neutral", label: "Stopped" };
    case "finished":
      if (openCount > 0) return null;
      if (failedCount === 0) return { tone: "positive", label: "Done" };
      return succeededCount === 0
        ? { tone: "negative", label: "Failed" }
        : { tone: "caution", label: "Some failed" };
    default:
      return status satisfies never;
  }
}

function count(number: number, words: string): string {
  return `${number.toLocaleString("en")} ${words}`;
}
