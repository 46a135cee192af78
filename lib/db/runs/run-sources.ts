import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

/**
 * Open runs are in `queue`, ended ones in `runs`. Each run is in exactly one of them at every
 * instant, so one statement over both sees each run once.
 */
const queuedColumns = Prisma.sql`
  select id, account_id, target_id, hook_id, delivery_id, event_id,
    case when reason_code is null then 'queued' else 'retrying' end as state, reason_code, reason_detail,
    attempt_count, has_own_id, due_at, lease_id, null::timestamptz as finished_at, null::timestamptz as started_at,
    null::integer as duration_ms, null::text as request, null::text as response, null::text as error_code,
    null::text as error_message, null::integer as version`;
const queued = Prisma.sql`${queuedColumns} from queue`;
const ended = Prisma.sql`
  select id, account_id, target_id, hook_id, delivery_id, event_id,
    state, reason_code, reason_detail,
    attempt_count, has_own_id, null::timestamptz, null::uuid, finished_at, started_at,
    duration_ms, request, response, error_code,
    error_message, version
  from runs`;

/** A table of all runs, into which PostgreSQL pushes conditions. */
const allRuns = Prisma.sql`(${queued} union all ${ended})`;

/** The rows of `queue`, from a table expression, with the columns of `runSourcesOf`. */
export function openRunSourcesOf(queue: "due"): Prisma.Sql {
  return withOwners(Prisma.sql`(${queuedColumns} from ${Prisma.raw(queue)})`);
}

/** Runs with these ids as `r`, with their hook `h` and action `a`, or subscription `s`: one lookup per id, in the one partition that may have it. */
export function runSourcesOf(ids: Prisma.Sql): Prisma.Sql {
  return withOwners(Prisma.sql`(
    select one.* from unnest(${ids}) as wanted(wanted_id)
    cross join lateral (select * from ${allRuns} as every where every.id = wanted.wanted_id limit 1) one
  )`);
}

/**
 * The same for all runs of these deliveries. A run made with its delivery has its first eight bytes
 * (`run_id` in SQL), so a range of the primary key finds it. `offset 0` keeps it a lookup.
 * Otherwise the planner, which considers the ranges wide, would join all runs (0.6 s at a million).
 * Replays and older rows have ids of their own.
 */
export function runSourcesOfDeliveries(deliveryIds: readonly string[]): Prisma.Sql {
  return runSourcesOfOrigins(deliveryIds, Prisma.sql`delivery_id`);
}

/** The same for all runs of these events, by their internal ids. Resends have ids of their own. */
export function runSourcesOfEvents(eventIds: readonly string[]): Prisma.Sql {
  return runSourcesOfOrigins(eventIds, Prisma.sql`event_id`);
}

function runSourcesOfOrigins(originIds: readonly string[], column: Prisma.Sql): Prisma.Sql {
  const ids = [...originIds];
  const firsts = ids.map((id) => runIdRange(id).first);
  const lasts = ids.map((id) => runIdRange(id).last);
  return withOwners(Prisma.sql`(
    select made.* from unnest(${ids}::uuid[], ${firsts}::uuid[], ${lasts}::uuid[]) as wanted(id, first, last)
    cross join lateral (
      select * from ${allRuns} as every
      where every.id >= wanted.first and every.id <= wanted.last and every.${column} = wanted.id and not every.has_own_id
      offset 0
    ) made
    union all
    select * from ${allRuns} as every where every.has_own_id and every.${column} = any (${ids}::uuid[])
  )`);
}

/** Bounds, both inclusive, of the ids of the runs that were made with a delivery or an event. */
export function runIdRange(originId: string): { readonly first: string; readonly last: string } {
  const start = originId.slice(0, 18);
  return { first: `${start}-8000-000000000000`, last: `${start}-bfff-ffffffffffff` };
}

/** Rows of deleted hooks and subscriptions don't exist for their owner, although they are removed later. */
function withOwners(runs: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    ${runs} r
    left join hooks h on h.id = r.hook_id
    left join actions a on a.id = r.target_id and r.hook_id is not null
    left join subscriptions s on s.id = r.target_id and r.hook_id is null`;
}

/** The deliveries or events among these with a run that a worker has now. */
export async function listLeased(
  tx: SqlStatements,
  column: "delivery_id" | "event_id",
  originIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ranges = originIds.map(runIdRange);
  const origin = column === "delivery_id" ? Prisma.sql`q.delivery_id` : Prisma.sql`q.event_id`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select wanted.id from unnest(${toUuidArray([...originIds])}::uuid[], ${toUuidArray(ranges.map(({ first }) => first))}::uuid[],
      ${toUuidArray(ranges.map(({ last }) => last))}::uuid[]) as wanted(id, first, last)
    where exists (select from queue q where q.id >= wanted.first and q.id <= wanted.last and ${origin} = wanted.id and q.lease_id is not null)
      or exists (select from queue q where q.has_own_id and ${origin} = wanted.id and q.lease_id is not null)`;
  return new Set(rows.map(({ id }) => id));
}
