"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { pauseReplay, resumeReplay } from "#lib/db/replays/replay-jobs.ts";
import { cancelBulkJob, countBulkRuns, createBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { readBulkFilter } from "#lib/web/pages/read-bulk-filter.ts";

/** The filters of a list, as in its URL. */
const valuesSchema = z.record(z.string().max(20), z.string().max(1_100));

/** Null: too many to count. */
export async function countBulkCommand(
  values: Readonly<Record<string, string>>,
): Promise<CommandResult<number | null>> {
  return await runFormCommand(valuesSchema, values, async (given, { accountId }, { db }) => {
    const { kind, filter } = readBulkFilter(given);
    return await countBulkRuns(db, accountId, kind, filter);
  });
}

export async function startBulkCommand(
  values: Readonly<Record<string, string>>,
): Promise<CommandResult<null>> {
  return await runFormCommand(valuesSchema, values, async (given, { accountId }, { db }) => {
    const { kind, filter } = readBulkFilter(given);
    await createBulkJob(db, accountId, kind, filter);
    revalidatePath("/runs");
    return null;
  });
}

export async function pauseReplayCommand(jobId: string): Promise<CommandResult<null>> {
  return await runFormCommand(z.string().max(64), jobId, async (id, { accountId }, { db }) => {
    await pauseReplay(db, accountId, id);
    revalidatePath("/runs");
    return null;
  });
}

export async function resumeReplayCommand(jobId: string): Promise<CommandResult<null>> {
  return await runFormCommand(z.string().max(64), jobId, async (id, { accountId }, { db }) => {
    await resumeReplay(db, accountId, id);
    revalidatePath("/runs");
    return null;
  });
}

export async function cancelBulkCommand(jobId: string): Promise<CommandResult<null>> {
  return await runFormCommand(z.string().max(64), jobId, async (id, { accountId }, { db }) => {
    await cancelBulkJob(db, accountId, id);
    revalidatePath("/runs");
    return null;
  });
}
