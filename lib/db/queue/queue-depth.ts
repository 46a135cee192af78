import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

type QueueDepth = {
  readonly due: number;
  readonly scheduled: number;
  readonly leased: number;
  /** How long the oldest due run has been waiting, in seconds. 0: none is due. */
  readonly oldestDueSeconds: number;
};

/** More runs are estimated from this many and the planner's statistics. About 20 ms. */
const maxCounted = 100_000;

type Row = {
  counted: number;
  due: number;
  leased: number;
  oldest_seconds: number | null;
  estimated: number;
};

/** Runs in the queue, exactly up to 100,000. */
export async function readQueueDepth(db: SqlStatements): Promise<QueueDepth> {
  const [row] = await db.$queryRaw<Row[]>`
    select count(*)::float8 as counted,
      count(*) filter (where lease_id is null and due_at <= now())::float8 as due,
      count(*) filter (where lease_id is not null)::float8 as leased,
      date_part('epoch', now() - min(due_at) filter (where lease_id is null and due_at <= now())) as oldest_seconds,
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'queue'::regclass) as estimated
    from (select lease_id, due_at from queue limit ${maxCounted + 1}) as part`;
  if (row === undefined) return { due: 0, scheduled: 0, leased: 0, oldestDueSeconds: 0 };
  const { counted, due, leased, estimated, oldest_seconds } = row;
  const scale = counted > maxCounted ? Math.max(1, estimated / counted) : 1;
  const toCount = (part: number) => Math.round(part * scale);
  return {
    due: toCount(due),
    scheduled: toCount(counted - due - leased),
    leased: toCount(leased),
    oldestDueSeconds: Math.max(0, oldest_seconds ?? 0),
  };
}
