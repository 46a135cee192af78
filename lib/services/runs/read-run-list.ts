import { z } from "zod";
import { isId } from "#lib/base/ids.ts";
import type { Page } from "#lib/core/api/page.ts";
import { readActionNames } from "#lib/db/actions/action-names.ts";
import { readHookNames } from "#lib/db/hooks/hook-names.ts";
import { countByReason } from "#lib/db/runs/count-by-reason.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { type RunListItem, runQuerySchema } from "#lib/schema/act/run.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { type BulkJobRecord, isOverRuns, listCurrentJobs } from "#lib/services/bulk-jobs.ts";
import { service } from "#lib/services/frame/service.ts";
import { readRunPage } from "./read-runs.ts";

/** The account's runs, newest first, with the names of what they belong to. */
export const listRunRows = service({
  permission: "deliveries:read",
  input: runQuerySchema,
  run: async (context, query): Promise<Page<RunListItem>> => {
    const { items, nextCursor } = await readRunPage(context, query);
    const ids = items.map(({ id }) => id);
    return { items: await readRunRows(context.db, context.actor.accountId, ids), nextCursor };
  },
});

/** The number of runs by state and reason, among the newest that match. */
export const countRunsByReason = service({
  permission: "deliveries:read",
  input: runQuerySchema,
  run: ({ db, actor }, { limit: _limit, cursor: _cursor, eventId: _eventId, ...filter }) =>
    countByReason(db, actor.accountId, filter),
});

/** The names of the hook and the action in a filter. Null: there is none. */
export const nameRunFilter = service({
  permission: "deliveries:read",
  input: z.strictObject({ hookId: z.string(), actionId: z.string() }),
  run: async ({ db, actor }, { hookId, actionId }) => {
    const [hooks, [action]] = await Promise.all([
      readHookNames(db, actor.accountId, [hookId].filter(isId)),
      readActionNames(db, actor.accountId, [actionId].filter(isId)),
    ]);
    return { hookName: hooks.get(hookId) ?? null, actionName: action?.name ?? null };
  },
});

const shownJobs = 3;

/** The current bulk jobs on runs, each with the name of its action if it is about one. */
export const listRunJobs = service({
  permission: "deliveries:read",
  input: noFields,
  run: async (context) => {
    const { db, actor } = context;
    const kinds = ["retry" as const, "cancel" as const, "replay" as const];
    const jobs = await listCurrentJobs(context, { kinds, limit: shownJobs });
    const ids = jobs.map(findActionId);
    const actions = await readActionNames(
      db,
      actor.accountId,
      ids.flatMap((id) => id ?? []),
    );
    const names = new Map(actions.map(({ id, name }) => [id, name]));
    return jobs.map((job, at) => ({ job, actionName: names.get(ids[at] ?? "") ?? null }));
  },
});

/** The only action in a job's filter. */
function findActionId(job: BulkJobRecord): string | undefined {
  const ofRuns = isOverRuns(job) ? [job.filter.actionId] : [];
  const [id, ...others] = job.kind === "replay" ? job.filter.actionIds : ofRuns;
  return id !== undefined && others.length === 0 && isId(id) ? id : undefined;
}
