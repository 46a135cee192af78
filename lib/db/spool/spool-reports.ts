import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The contents of a process's part of a spool. */
export type SpoolReport = {
  /** The folder's own id, or that of the broker's queue. */
  readonly spool: string;
  readonly writer: string;
  /** Parts of dead processes that it has taken over. */
  readonly takenOver: readonly string[];
  readonly host: string;
  readonly waiting: number;
  readonly oldestAtMs: number | null;
  readonly setAside: number;
  /** The names of the first files that are set aside. */
  readonly asideNames: readonly string[];
};

export async function recordSpoolReport(db: SqlStatements, report: SpoolReport): Promise<void> {
  const { spool, writer, takenOver, host, waiting, oldestAtMs, setAside, asideNames } = report;
  await db.$executeRaw`
    with gone as (
      delete from spools where spool = ${spool}::uuid and writer = any (${[...takenOver]}::text[])
    )
    insert into spools (spool, writer, host, waiting, oldest_at, set_aside, aside_names)
    values (${spool}::uuid, ${writer}, ${host}, ${waiting}::int, to_timestamp(${oldestAtMs}::float8 / 1000), ${setAside}::int, ${[...asideNames]}::text[])
    on conflict (spool, writer) do update set
      (host, waiting, oldest_at, set_aside, aside_names, reported_at) =
      (excluded.host, excluded.waiting,
        -- Only the process that drains a shared queue knows since when the oldest waits.
        coalesce(excluded.oldest_at, case when excluded.waiting > 0 then spools.oldest_at end),
        excluded.set_aside, excluded.aside_names, now())`;
}

/** The deliveries that wait in all spools. */
type SpoolSummary = {
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly setAside: number;
  /** The machines whose spools aren't empty. */
  readonly hosts: readonly string[];
  readonly asideNames: readonly string[];
};

/** Adds up all spools. Every process of a spool reports all deliveries that are set aside in it. */
export async function readSpools(db: SqlStatements): Promise<SpoolSummary> {
  const [summary] = await db.$queryRaw<SpoolSummary[]>`
    with folders as (
      select sum(waiting)::int as waiting, min(oldest_at) as oldest_at, max(set_aside) as set_aside, max(host) as host
      from spools group by spool
    )
    select coalesce(sum(waiting), 0)::int as waiting, min(oldest_at) as "oldestAt",
      coalesce(sum(set_aside), 0)::int as "setAside",
      coalesce(array_agg(distinct host) filter (where waiting > 0 or set_aside > 0), '{}') as hosts,
      array(select distinct name from spools cross join unnest(aside_names) as name order by name limit 10) as "asideNames"
    from folders`;
  return summary ?? { waiting: 0, oldestAt: null, setAside: 0, hosts: [], asideNames: [] };
}

/** What waits in the spools whose processes still report, and what is set aside in any. */
export async function readWaiting(
  db: SqlStatements,
): Promise<Pick<SpoolSummary, "waiting" | "setAside">> {
  const [row] = await db.$queryRaw<Pick<SpoolSummary, "waiting" | "setAside">[]>`
    select coalesce(sum(waiting) filter (where reported_at > now() - interval '5 minutes'), 0)::int as waiting,
      coalesce((select sum(most) from (select max(set_aside) as most from spools group by spool) folders), 0)::int as "setAside"
    from spools`;
  return row ?? { waiting: 0, setAside: 0 };
}
