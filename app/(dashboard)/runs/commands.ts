"use server";

import type { LimitInput } from "#components/lists/limit-input.ts";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import type { ChangedRows } from "#lib/schema/field/selected.ts";
import {
  cancelRuns,
  cancelSelectedRuns,
  countBulkRuns,
  retryRuns,
  retrySelectedRuns,
} from "#lib/services/runs.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";
import { readBulkChange } from "#lib/web/runs/read-run-list.ts";

/** The filters of a list, as in its URL. */
type Values = Readonly<Record<string, string>>;

const noChange = "Choose a status with runs that can be retried or canceled.";

/** Counts the runs that a job would change. Null: too many to count. */
export async function countBulkCommand(values: Values): Promise<CommandResult<number | null>> {
  const change = readBulkChange(values);
  return change === null ? reject(noChange) : await askService(countBulkRuns, change);
}

export async function startBulkCommand(
  values: Values,
  limits: LimitInput,
): Promise<CommandResult<null>> {
  const change = readBulkChange(values);
  if (change === null) return reject(noChange);
  const { kind, filter } = change;
  return kind === "retry"
    ? await changeByService(retryRuns, { filter, ...readLimits(limits) }, nothing)
    : await changeByService(cancelRuns, { filter }, nothing);
}

const all = (changed: ChangedRows) => changed;

export async function retrySelectedRunsCommand(
  ids: readonly string[],
): Promise<CommandResult<ChangedRows>> {
  return await changeByService(retrySelectedRuns, { ids }, all);
}

export async function cancelSelectedRunsCommand(
  ids: readonly string[],
): Promise<CommandResult<ChangedRows>> {
  return await changeByService(cancelSelectedRuns, { ids }, all);
}
