"use server";

import { reject } from "#lib/schema/field/command-result.ts";
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from "#lib/services/bulk-jobs.ts";
import {
  cancelRun,
  cancelRuns,
  cancelSelectedRuns,
  countBulkRuns,
  resolveStep,
  retryRun,
  retryRuns,
  retrySelectedRuns,
} from "#lib/services/runs.ts";
import { ask, change } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";
import { readBulkChange } from "#lib/web/runs/read-run-list.ts";

export const retryRunCommand = change(retryRun, ["id"]);
export const retryFromCommand = change(retryRun, ["id", "fromStep"]);
export const resolveStepCommand = change(resolveStep, ["id", "..."]);
export const cancelRunCommand = change(cancelRun, ["id"]);

export const retrySelectedRunsCommand = change(retrySelectedRuns, ["ids"], (changed) => changed);
export const cancelSelectedRunsCommand = change(cancelSelectedRuns, ["ids"], (changed) => changed);

/** The filters of a list, as in its URL. */
type Values = Readonly<Record<string, string>>;

const count = ask(countBulkRuns, ["..."]);
const retry = change(retryRuns, ["filter", readLimits]);
const cancel = change(cancelRuns, ["filter"]);
const noChange = reject("Choose a status with runs that can be retried or canceled.");

/** Counts the runs that a job would change. Null: too many to count. */
export async function countBulkCommand(values: Values) {
  const wanted = readBulkChange(values);
  return wanted === null ? noChange : await count(wanted);
}

export async function startBulkCommand(values: Values, limits: Parameters<typeof readLimits>[0]) {
  const wanted = readBulkChange(values);
  if (wanted === null) return noChange;
  return wanted.kind === "retry" ? await retry(wanted.filter, limits) : await cancel(wanted.filter);
}

export const cancelJobCommand = change(cancelBulkJob, ["id"]);
export const pauseJobCommand = change(pauseBulkJob, ["id"]);
export const resumeJobCommand = change(resumeBulkJob, ["id"]);
