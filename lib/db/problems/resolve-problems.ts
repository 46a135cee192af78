import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Resolves what is over. Failures: a run of the same action or subscription succeeded after the last
 * one, and none followed for a while. Rejections: the hook accepted a delivery after the last one,
 * and none followed. Those that were muted meanwhile, failures of an action or a subscription that is
 * disabled now, and everything about a hook, action, or subscription that is gone.
 *
 * One that recovered, or whose action or subscription was disabled, waits until the rules have looked at it,
 * so that those who heard of it hear of its end.
 *
 * @param quietMs the time after the last occurrence, so that one that comes and goes is one problem
 */
export async function resolveEndedProblems(tx: SqlStatements, quietMs: number): Promise<number> {
  return await tx.$executeRaw`
    with ended as materialized (
      select p.id, case
        when p.hook_id is not null and h.id is null or p.action_id is not null and a.id is null
          or p.subscription_id is not null and s.id is null then 'deleted'
        when p.kind in ('action_failing', 'subscription_failing') and exists (
          select from muted_failures m
          where m.target_id = coalesce(p.action_id, p.subscription_id) and m.muted_at > p.last_at
            and case when s.id is null then a.version = m.version else s.updated_at <= m.muted_at end
            and m.reason = (select r.reason_code from runs r where r.id = p.run_id limit 1)
        ) then 'muted'
        -- The rules look at it first. Otherwise no one hears of what failed just before the workers stood still.
        when p.is_changed or p.last_at > now() - ${quietMs}::int * interval '1 ms' then null
        when p.kind in ('action_failing', 'subscription_failing') and exists (
          select from (
            select r.state, r.finished_at from runs r
            where r.target_id = coalesce(p.action_id, p.subscription_id) and r.id >= uuid_v7_floor(p.first_at - interval '2 days')
            order by r.id desc limit ${newestRuns}::int
          ) newest
          where newest.state = 'succeeded' and newest.finished_at > p.last_at
        ) then 'recovered'
        when p.kind = 'rejected' and exists (
          select from deliveries d where d.hook_id = p.hook_id and d.status = 'accepted' and d.id > uuid_v7_floor(p.last_at)
        ) then 'recovered'
        when p.kind = 'action_failing' and not a.enabled or p.kind = 'subscription_failing' and s.status = 'disabled' then 'disabled'
      end as resolution
      from problems p
      left join hooks h on h.id = p.hook_id and h.deleted_at is null
      left join actions a on a.id = p.action_id and a.deleted_at is null
      left join subscriptions s on s.id = p.subscription_id and s.deleted_at is null
      where p.state <> 'resolved'
    )
    update problems p
    set state = 'resolved', resolved_at = now(), resolution = ended.resolution, is_changed = true
    from ended where p.id = ended.id and ended.resolution is not null and p.state <> 'resolved'`;
}

/** A success is among the newest runs of its target, or more than these have failed since. */
const newestRuns = 500;
