import type { z } from "zod";
import type { Page } from "#lib/core/api/page.ts";
import { findEventId } from "#lib/db/events/events.ts";
import { listRuns as findRuns } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { listRunSteps, type RunStepRecord } from "#lib/db/runs/run-steps.ts";
import { getRun as findRun, type RunWithAttempts } from "#lib/db/runs/runs.ts";
import { runQuerySchema } from "#lib/schema/act/run.ts";
import { byId } from "#lib/schema/field/common.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

export type { AttemptRecord, RunWithAttempts } from "#lib/db/runs/runs.ts";
export type { RunRecord, RunStepRecord };

export type RunWithSteps = RunWithAttempts & { readonly steps: readonly RunStepRecord[] };

/** Returns a run with its attempts and steps. Throws `not_found`. */
export const getRun = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<RunWithSteps> => {
    const run = await findRun(db, actor.accountId, id);
    return { ...run, steps: await listRunSteps(db, actor.accountId, id) };
  },
});

/** The account's runs, newest first. */
export const listRuns = service({
  permission: "deliveries:read",
  input: runQuerySchema,
  run: (context, query) => readRunPage(context, query),
});

/** A page of runs for a parsed query. */
export async function readRunPage(
  { db, actor: { accountId } }: ServiceContext,
  { eventId, limit, cursor, ...filter }: z.output<typeof runQuerySchema>,
): Promise<Page<RunRecord>> {
  const page = { limit, cursor };
  if (eventId === undefined) return await findRuns(db, accountId, filter, page);
  const found = await findEventId(db, accountId, eventId);
  if (found === null) return { items: [], nextCursor: null };
  return await findRuns(db, accountId, { ...filter, eventId: found }, page);
}
