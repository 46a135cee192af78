import { decodeCursor, toIdSpan } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { listTargets, matchesRun } from "./list-runs.ts";
import { hasPossibleIds, type RunFilter } from "./run-filter.ts";
import { runCreatedAt, runStatusSql, toRunReason } from "./run-record.ts";
import { runSourcesOf } from "./run-sources.ts";
import { selectRunIds } from "./select-run-ids.ts";

/** Runs in one state for one reason. */
type ReasonCount = {
  readonly status: RunStatus;
  /** The last run's. Null: these runs have none. */
  readonly reason: RunReason | null;
  readonly count: number;
  readonly lastAt: Date;
};

type ReasonCounts = {
  /** Most runs first, those without a reason last. */
  readonly reasons: readonly ReasonCount[];
  /** The number of runs that were looked at, newest first, if there are more. Null: all were. */
  readonly scanned: number | null;
};

/** Runs to look at: more take longer than a page should. Text is looked for in their deliveries. */
const maxScanned = 5_000;
const maxSearched = 500;

type Row = Omit<ReasonCount, "reason"> & {
  readonly code: string | null;
  readonly detail: string | null;
  readonly scanned: number;
};

/** Counts the runs that match a filter by state and reason, among the newest ones. */
export async function countByReason(
  db: Database,
  accountId: string,
  filter: RunFilter,
): Promise<ReasonCounts> {
  if (!hasPossibleIds(filter)) return { reasons: [], scanned: null };
  const targetIds = await listTargets(db, accountId, filter);
  const span = toIdSpan(filter, decodeCursor(undefined));
  const limit = filter.q === undefined ? maxScanned : maxSearched;
  const rows = await db.$queryRaw<Row[]>`
    with scanned as materialized (${selectRunIds({ accountId, filter, targetIds, span, limit })})
    select ${runStatusSql} as status, r.reason_code as code,
      (array_agg(r.reason_detail order by r.id desc))[1] as detail, count(*)::int as count,
      max(${runCreatedAt}) as "lastAt", (select count(*) from scanned)::int as scanned
    from ${runSourcesOf(Prisma.sql`array(select id from scanned)`)}
    where ${matchesRun(db, accountId, filter)}
    group by 1, 2 order by r.reason_code is null, count(*) desc, 1, 2`;
  return {
    reasons: rows.map(({ code, detail, scanned: _, ...row }) => ({
      ...row,
      reason: toRunReason(code, detail),
    })),
    scanned: (rows[0]?.scanned ?? 0) < limit ? null : limit,
  };
}
