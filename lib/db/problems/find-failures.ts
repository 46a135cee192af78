import { idFloor } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { ScanSpan } from "./problem-scans.ts";

/** Failures of an action or a subscription with one cause, in one minute. */
export type FoundFailures = {
  readonly accountId: string;
  /** The action, or the subscription if there is no hook. */
  readonly targetId: string;
  readonly hookId: string | null;
  readonly cause: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
  /** The last one. */
  readonly runId: string;
  readonly deliveryId: string | null;
  readonly message: string | null;
};

export type Found<Row> = {
  readonly rows: readonly Row[];
  readonly until: Date;
  /** True if the batch was full. */
  readonly isMore: boolean;
};

/** A finished batch may have this many rows, and those of the same millisecond. */
const batchRows = 5_000;

/**
 * Groups runs that ended as failed, without those of deleted targets and muted ones. A run that was
 * retried manually and failed again counts again.
 */
export async function findFailedRuns(
  tx: SqlStatements,
  { after, until: end }: ScanSpan,
): Promise<Found<FoundFailures>> {
  const [last] = await tx.$queryRaw<{ until: Date }[]>`
    select finished_at as until from runs
    where state = 'failed' and finished_at > ${after} and finished_at <= ${end}
    order by finished_at offset ${batchRows}::int limit 1`;
  const until = last?.until ?? end;
  const rows = await tx.$queryRaw<FoundFailures[]>`
    with found as materialized (
      select r.id as run_id, r.account_id, r.target_id, r.hook_id, r.delivery_id, r.finished_at as at, r.reason_code, r.reason_detail as message,
        failure_cause(coalesce(r.error_code, s.error_code), coalesce(r.response, s.response), r.reason_code) as cause
      from runs r
      left join lateral (
        select error_code, response from run_steps
        where id = r.id and r.started_at is null and state = 'failed' order by started_at desc limit 1
      ) s on true
      where r.state = 'failed' and r.finished_at > ${after} and r.finished_at <= ${until}
    )
    ${groupFound(Prisma.sql`m.reason = f.reason_code`)}`;
  return { rows, until, isMore: until < end };
}

/**
 * Groups attempts that failed and are followed by another one. The last attempt of a run is in the
 * run. Of the attempts of steps, those are failures that say so themselves.
 */
export async function findFailedAttempts(
  tx: SqlStatements,
  { after, until: end }: ScanSpan,
): Promise<Found<FoundFailures>> {
  const first = idFloor(after.getTime() + 1);
  const [last] = await tx.$queryRaw<{ until: Date }[]>`
    select to_timestamp(uuid_v7_ms(id) / 1000.0) as until from attempts
    where id >= ${first}::uuid and id < ${idFloor(end.getTime() + 1)}::uuid
    order by id offset ${batchRows}::int limit 1`;
  const until = last?.until ?? end;
  const rows = await tx.$queryRaw<FoundFailures[]>`
    with found as materialized (
      select t.run_id, t.account_id, coalesce(q.target_id, r.target_id) as target_id, coalesce(q.hook_id, r.hook_id) as hook_id,
        coalesce(q.delivery_id, r.delivery_id) as delivery_id, to_timestamp(uuid_v7_ms(t.id) / 1000.0) as at,
        coalesce(t.error_message, q.reason_detail) as message, failure_cause(t.error_code, t.response::text, 'unsuccessful') as cause
      from attempts t
      left join queue q on q.id = t.run_id
      left join lateral (
        select target_id, hook_id, delivery_id from runs where id = t.run_id and q.id is null limit 1
      ) r on true
      where t.id >= ${first}::uuid and t.id < ${idFloor(until.getTime() + 1)}::uuid and not t.late
        and t.error_code is distinct from 'outcome_unknown'
        and (t.step is null or t.error_code is not null or substring(left(t.response::text, 40) from '^\{"status":([0-9])') in ('4', '5'))
    )
    ${groupFound(Prisma.sql`m.reason in ('attempts_exhausted', 'gave_up')`)}`;
  return { rows, until, isMore: until < end };
}

/** Groups what was `found`, without that of deleted targets, and without what is muted for a reason. */
function groupFound(isForReason: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select f.account_id as "accountId", f.target_id as "targetId", f.hook_id as "hookId", f.cause, min(f.at) as "firstAt",
      max(f.at) as "lastAt", count(*)::int as count, (array_agg(f.run_id order by f.at desc))[1] as "runId",
      (array_agg(f.delivery_id order by f.at desc))[1] as "deliveryId", (array_agg(f.message order by f.at desc))[1] as message
    from found f
    left join actions a on a.id = f.target_id and f.hook_id is not null and a.deleted_at is null
    left join hooks h on h.id = a.hook_id and h.deleted_at is null
    left join subscriptions s on s.id = f.target_id and f.hook_id is null and s.deleted_at is null
    where (h.id is not null or s.id is not null) and not exists (
      select from muted_failures m
      where m.target_id = f.target_id and ${isForReason}
        and case when s.id is null then a.version = m.version else s.updated_at <= m.muted_at end
    )
    group by f.account_id, f.target_id, f.hook_id, f.cause, date_trunc('minute', f.at)`;
}
