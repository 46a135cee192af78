import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { Quota } from "#lib/schema/send/recipient.ts";

/** The quota of a send's recipient. */
export type SendQuota = Quota & { readonly recipient: string };

export type QuotaTaken = {
  /** False: it is used up, so the call may not be made. */
  readonly isAllowed: boolean;
  /** How long until the next day or month begins, by the database's clock. */
  readonly resetsInMs: number;
  readonly resetsOn: string;
};

/** The first day of the period that is now, in SQL. */
export function periodStart(per: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`date_trunc(${per}, now() at time zone 'UTC')::date`;
}

/** When the next one begins, in SQL. */
export function periodEnd(per: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((date_trunc(${per}, now() at time zone 'UTC') + ('1 ' || ${per})::interval) at time zone 'UTC')`;
}

/**
 * Counts a send before its first call, unless the quota is used up. One that is counted already may go on: it is
 * retried, or a worker died. Workers wait for each other at the row of the period, so that no two take the last one.
 */
export async function takeQuota(
  db: SqlStatements,
  run: { readonly id: string; readonly accountId: string },
  { recipient, limit, per }: SendQuota,
): Promise<QuotaTaken> {
  const period = Prisma.sql`${per}::text`;
  const [row] = await db.$queryRaw<QuotaTaken[]>`
    with known as materialized (
      select 1 from quota_sends where run_id = ${run.id}::uuid
    ), counted as (
      insert into quota_uses as taken (account_id, recipient, per, starts_on, used)
      select ${run.accountId}::uuid, ${recipient}, ${per}, ${periodStart(period)}, 1
      where not exists (select from known)
        and exists (select from recipients where account_id = ${run.accountId}::uuid and id = ${recipient})
      on conflict (account_id, recipient, per, starts_on) do update set used = taken.used + 1 where taken.used < ${limit}::int
      returning 1
    ), kept as (
      insert into quota_sends (run_id, account_id) select ${run.id}::uuid, ${run.accountId}::uuid from counted
      on conflict do nothing
    )
    select exists (select from known) or exists (select from counted) as "isAllowed",
      (extract(epoch from ${periodEnd(period)} - now()) * 1000)::float8 as "resetsInMs",
      (${periodEnd(period)} at time zone 'UTC')::date::text as "resetsOn"`;
  if (row === undefined) throw new Error("A quota has no answer");
  return row;
}

/** A quota of which at least four fifths are used, or that was so at the last look. */
type NearQuota = {
  readonly accountId: string;
  readonly recipient: string;
  readonly limit: number;
  readonly per: Quota["per"];
  readonly whenUsedUp: Quota["whenUsedUp"];
  readonly used: number;
  readonly resetsOn: string;
};

export async function findNearQuotas(db: SqlStatements): Promise<readonly NearQuota[]> {
  const per = Prisma.sql`r.quota_per`;
  return await db.$queryRaw<NearQuota[]>`
    select r.account_id as "accountId", r.id as recipient, r.quota_limit as "limit", r.quota_per as per,
      r.quota_when_used_up as "whenUsedUp", u.used, (${periodEnd(per)} at time zone 'UTC')::date::text as "resetsOn"
    from quota_uses u
    join recipients r on r.account_id = u.account_id and r.id = u.recipient and r.quota_per = u.per
    join accounts a on a.id = r.account_id and a.deleted_at is null
    where u.starts_on = ${periodStart(per)} and u.used >= 0.8 * r.quota_limit
    order by r.account_id, r.id`;
}

type QuotaProblem = {
  readonly accountId: string;
  readonly key: string;
  readonly isUsedUp: boolean;
};

/** The problems of quotas that aren't over. */
export async function listQuotaProblems(db: SqlStatements): Promise<readonly QuotaProblem[]> {
  return await db.$queryRaw<QuotaProblem[]>`
    select account_id as "accountId", key, (details->>'used')::int >= (details->>'limit')::int as "isUsedUp"
    from problems where kind = 'quota' and state <> 'resolved'`;
}

/** Removes what no period needs any more. A send that is still open keeps its place. */
export async function sweepQuotas(db: SqlDatabase): Promise<void> {
  await db.$executeRaw`delete from quota_uses where starts_on < (now() - interval '90 days')::date`;
  await db.$executeRaw`
    delete from quota_sends where counted_at < now() - interval '60 days' and not exists (select from queue where queue.id = run_id)`;
}
