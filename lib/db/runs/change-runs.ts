import { type IdSpan, lastId, laterId, toIdSpan } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { LockedJob } from "#lib/db/jobs/lock-bulk-job.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { type BulkFilter, canChange } from "./bulk-jobs.ts";
import { listTargets, matchesRun } from "./list-runs.ts";
import { cancelledManually, cancelQueued, putBackEnded } from "./move-runs.ts";
import { runCreatedAt } from "./run-record.ts";
import { runSourcesOf } from "./run-sources.ts";
import { selectRunIds } from "./select-run-ids.ts";

type ChangedRuns = {
  readonly changedIds: readonly string[];
  readonly seenBefore: string;
  readonly isAtEnd: boolean;
};

/**
 * Retries the next runs of a job, oldest first, because their receiver may depend on the order, or
 * cancels them, newest first. Runs that ended after the job was created are not
 * changed. That includes runs that the job itself has queued: none is retried twice.
 *
 * @param maxRuns the maximum number of runs to change
 */
export async function changeRuns(
  tx: SqlStatements,
  kind: BulkKind,
  { id, accountId, filter, seenBefore }: LockedJob<BulkFilter>,
  maxRuns: number,
): Promise<ChangedRuns> {
  const targetIds = await listTargets(tx, accountId, filter);
  const span = spans[kind](filter, seenBefore);
  const isOldestFirst = kind === "retry";
  const scanned = await tx.$queryRaw<{ id: string }[]>(
    selectRunIds({ accountId, filter, targetIds, span, limit: maxChecked, isOldestFirst }),
  );
  const ids = scanned.map((run) => run.id);
  // The rows are locked in a fixed order, so that two jobs over the same runs wait for each other
  // instead of deadlocking. Those that have moved meanwhile are left alone.
  const locked = await tx.$queryRaw<{ id: string }[]>`
    select id from ${tables[kind]} where id = any (${ids}::uuid[]) order by id for update`;
  const matches = await tx.$queryRaw<{ id: string }[]>`
    select r.id from ${runSourcesOf(Prisma.sql`${locked.map((run) => run.id)}::uuid[]`)}
    cross join bulk_jobs job
    where job.id = ${id}::uuid and ${matchesRun(tx, accountId, filter)} and ${canChange(kind)} and ${wasThere[kind]}
    order by r.id ${isOldestFirst ? Prisma.sql`asc` : Prisma.sql`desc`} limit ${maxRuns + 1}::int`;
  const changedIds = matches.slice(0, maxRuns).map((run) => run.id);
  await tx.$executeRaw(change[kind](changedIds));
  if (matches.length > maxRuns)
    return { changedIds, seenBefore: changedIds.at(-1) ?? seenBefore, isAtEnd: false };
  const last = scanned.at(-1);
  const isAtEnd = scanned.length < maxChecked || last === undefined;
  return { changedIds, seenBefore: last?.id ?? seenBefore, isAtEnd };
}

/** The number of runs that are checked at once, also for a job that may change few of them. */
const maxChecked = 500;

/** The runs that are still to be checked, by the id at which the last batch ended. */
const spans: Readonly<Record<BulkKind, (filter: BulkFilter, seen: string) => IdSpan>> = {
  // That one is checked again, and isn't retried again.
  retry: (filter, seen) => {
    const { first, end } = toIdSpan(filter, lastId);
    return { first: laterId(first, seen), end };
  },
  cancel: toIdSpan,
};

const wasThere: Readonly<Record<BulkKind, Prisma.Sql>> = {
  retry: Prisma.sql`r.finished_at <= job.created_at`,
  cancel: Prisma.sql`${runCreatedAt} <= job.created_at`,
};

const tables: Readonly<Record<BulkKind, Prisma.Sql>> = {
  retry: Prisma.sql`runs`,
  cancel: Prisma.sql`queue`,
};

const change: Readonly<Record<BulkKind, (ids: readonly string[]) => Prisma.Sql>> = {
  retry: (ids) =>
    Prisma.sql`with ${putBackEnded(Prisma.sql`run.id = any (${[...ids]}::uuid[])`)} select 1 from put_back`,
  cancel: (ids) => cancelQueued(Prisma.sql`id = any (${[...ids]}::uuid[])`, cancelledManually),
};
