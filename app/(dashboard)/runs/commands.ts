"use server";

import { type CommandResult, refuse } from "#lib/schema/field/command-result.ts";
import { cancelBulkJob } from "#lib/services/bulk-jobs/cancel-bulk-job.ts";
import { pauseReplay, resumeReplay } from "#lib/services/bulk-jobs/pause-bulk-job.ts";
import { cancelRuns, countBulkRuns, retryRuns } from "#lib/services/runs/change-runs.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readBulkChange } from "#lib/web/runs/read-bulk-change.ts";

/** The filters of a list, as in its URL. */
type Values = Readonly<Record<string, string>>;

const noChange = "Choose a status with runs that can be retried or cancelled.";

/** Counts the runs that a job would change. Null: too many to count. */
export async function countBulkCommand(values: Values): Promise<CommandResult<number | null>> {
  const change = readBulkChange(values);
  return change === null ? refuse(noChange) : await askService(countBulkRuns, change);
}

export async function startBulkCommand(values: Values): Promise<CommandResult<null>> {
  const change = readBulkChange(values);
  if (change === null) return refuse(noChange);
  const { kind, filter } = change;
  return kind === "retry"
    ? await changeByService(retryRuns, { filter }, nothing)
    : await changeByService(cancelRuns, { filter }, nothing);
}

export async function pauseReplayCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(pauseReplay, { id }, nothing);
}

export async function resumeReplayCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(resumeReplay, { id }, nothing);
}

export async function cancelBulkCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(cancelBulkJob, { id }, nothing);
}
