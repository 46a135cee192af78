/** What a worker does for a schedule: it begins searches, and looks at what they have found. */

import { newId } from "#lib/base/ids.ts";
import { firstId } from "#lib/core/api/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { GapStatus, GapTakeIn, TakeInFilter } from "#lib/schema/receive/gap.ts";

export type DueSchedule = {
  readonly hookId: string;
  readonly accountId: string;
  readonly credentialId: string | null;
  readonly webhook: string | null;
  readonly every: "hour" | "day";
  readonly searchedUntil: Date | null;
};

/** Locks the schedule that waits longest for its next search. Null: none is due. */
export async function lockDueSchedule(tx: SqlStatements): Promise<DueSchedule | null> {
  const [due] = await tx.$queryRaw<DueSchedule[]>`
    select s.hook_id as "hookId", s.account_id as "accountId", s.credential_id as "credentialId", s.webhook, s.every,
      s.searched_until as "searchedUntil"
    from gap_schedules s join hooks h on h.id = s.hook_id and h.deleted_at is null
    where s.next_at <= now() order by s.next_at limit 1 for no key update of s skip locked`;
  return due ?? null;
}

export async function setNextSearch(
  tx: SqlStatements,
  hookId: string,
  nextMs: number,
): Promise<void> {
  await tx.$executeRaw`
    update gap_schedules set next_at = to_timestamp(${nextMs}::float8 / 1000) where hook_id = ${hookId}::uuid`;
}

type ScheduledGap = Pick<DueSchedule, "hookId" | "accountId" | "credentialId" | "webhook"> & {
  readonly provider: string;
  readonly askedFromMs: number;
  readonly fromMs: number;
  readonly toMs: number;
};

/** Begins a search. False: another one of the hook is running. */
export async function beginScheduledGap(tx: SqlStatements, gap: ScheduledGap): Promise<boolean> {
  const count = await tx.$executeRaw`
    insert into gaps (id, account_id, hook_id, credential_id, webhook, provider, asked_from, from_at, to_at, asked_by, is_scheduled)
    select ${newId()}::uuid, ${gap.accountId}::uuid, ${gap.hookId}::uuid, ${gap.credentialId}::uuid, ${gap.webhook}::text, ${gap.provider},
      to_timestamp(${gap.askedFromMs}::float8 / 1000), to_timestamp(${gap.fromMs}::float8 / 1000),
      to_timestamp(${gap.toMs}::float8 / 1000), ${scheduleName}, true
    where not exists (
      select from gaps where hook_id = ${gap.hookId}::uuid and account_id = ${gap.accountId}::uuid and finished_at is null
    )`;
  return count > 0;
}

/** Who asked, and who takes in, in place of a person. */
const scheduleName = "the schedule";

export type EndedGap = {
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly provider: string;
  readonly status: Exclude<GapStatus, "asking">;
  readonly reason: string | null;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly finishedAt: Date;
  /** Null: the schedule is off by now. */
  readonly takeIn: GapTakeIn | null;
};

/** Locks a scheduled search that has ended and wasn't looked at. Null: there is none. */
export async function lockEndedGap(tx: SqlStatements): Promise<EndedGap | null> {
  const [gap] = await tx.$queryRaw<EndedGap[]>`
    select g.id, g.account_id as "accountId", g.hook_id as "hookId", g.provider, g.status, g.reason, g.from_at as "fromAt",
      g.to_at as "toAt", g.finished_at as "finishedAt",
      (select s.take_in from gap_schedules s where s.hook_id = g.hook_id and s.account_id = g.account_id) as "takeIn"
    from gaps g
    where g.is_scheduled and g.followed_at is null and g.finished_at is not null
    order by g.id limit 1 for no key update of g skip locked`;
  return gap ?? null;
}

/** It was looked at. What it has searched whole isn't searched again, but for the overlap. */
export async function markFollowed(
  tx: SqlStatements,
  { id, hookId, accountId, status, toAt }: EndedGap,
): Promise<void> {
  await tx.$executeRaw`update gaps set followed_at = now() where id = ${id}::uuid`;
  if (status === "found")
    await tx.$executeRaw`
      update gap_schedules set searched_until = greatest(searched_until, ${toAt})
      where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid`;
}

/**
 * The types of what is still missing at a hook, by all of its searches, of which it has got
 * something: of others the provider may send it nothing. If it never got anything, all of them.
 */
export async function countStillMissing(
  tx: SqlStatements,
  { accountId, hookId }: Pick<EndedGap, "accountId" | "hookId">,
): Promise<readonly { readonly eventType: string | null; readonly count: number }[]> {
  return await tx.$queryRaw<{ eventType: string | null; count: number }[]>`
    with listed as materialized (
      select e.key, e.event_type, e.state from gap_events e join gaps g on g.id = e.gap_id
      where g.hook_id = ${hookId}::uuid and g.account_id = ${accountId}::uuid
    ), arrived as (
      select distinct event_type from listed where state in ('known', 'taken', 'repeated')
    ), missing as (
      select distinct l.key, l.event_type from listed l
      where l.state in ('missing', 'asked') and not exists (select from dedupe_keys known where known.key = l.key)
    )
    select event_type as "eventType", count(*)::int as count from missing
    where not exists (select from arrived) or exists (select from arrived a where a.event_type is not distinct from missing.event_type)
      or exists (
        select from deliveries d where d.hook_id = ${hookId}::uuid and d.account_id = ${accountId}::uuid
          and d.event_type = missing.event_type and d.status = 'accepted'
      )
    group by event_type`;
}

/** Starts the job that takes in what a search found. False: nothing of these types is missing. */
export async function beginTakeIn(
  tx: SqlStatements,
  { id, accountId }: EndedGap,
  filter: TakeInFilter,
  ratePerMinute: number | null,
): Promise<boolean> {
  const jobId = newId();
  const types = [...(filter.eventTypes ?? [])];
  const count = await tx.$executeRaw`
    insert into bulk_jobs (id, account_id, kind, filter, total, seen_before, rate_per_minute)
    select ${jobId}::uuid, ${accountId}::uuid, 'take_in', ${JSON.stringify(filter)}::json, missing, ${firstId}::uuid, ${ratePerMinute}::int
    from (
      select count(*)::int as missing from gap_events
      where gap_id = ${id}::uuid and state = 'missing' and event_type = any(${types}::text[])
    ) as found
    where missing > 0`;
  if (count === 0) return false;
  await tx.$executeRaw`
    update gaps set job_id = ${jobId}::uuid, taken_by = ${scheduleName} where id = ${id}::uuid and account_id = ${accountId}::uuid`;
  return true;
}
