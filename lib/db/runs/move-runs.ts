/**
 * Moves runs between `queue` and `runs`. The row that is deleted decides: of two that move the same
 * run, the second waits and then finds nothing. No reader sees a run in both tables or in neither.
 */

import { Prisma } from "#lib/db/generated/client.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import { hookChangedChannel } from "#lib/db/queue/notify.ts";
import type { RunReason } from "#lib/schema/act/run.ts";

/**
 * `with` parts: puts ended runs back into the queue with their ids. `put_back` contains those runs.
 * Their last attempt moves to the others.
 *
 * @param condition a condition on `runs` as `run`
 * @param keys the keys of the steps to run again
 */
export function putBackEnded(condition: Prisma.Sql, keys: readonly string[] = []): Prisma.Sql {
  return Prisma.sql`
    put_back as (
      delete from runs run where ${condition} returning run.*
    ), kept as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code, error_message)
      select uuid_v7_at(started_at), id, account_id, attempt_count, started_at, coalesce(duration_ms, 0), request::json, response::json,
        error_code, error_message
      from put_back where started_at is not null
    ), queued as (
      insert into queue (id, account_id, target_id, hook_id, delivery_id, event_id, due_at, body_size, attempt_count, attempts_before, retried_at, has_own_id, order_key)
      select id, account_id, target_id, hook_id, delivery_id, event_id, now(),
        coalesce(
          (select body_size from deliveries d where d.id = put_back.delivery_id limit 1),
          (select octet_length(body) from events e where e.id = put_back.event_id limit 1),
          0
        ),
        attempt_count, attempt_count, now(), has_own_id,
        (select ${unkeyed} from actions a where a.id = put_back.target_id and a.order_by is not null)
      from put_back
    ), restarted as (
      update run_steps set ${restart(keys)} where id = any (array(select id from put_back))
    )`;
}

/**
 * Assignments for `update run_steps set`. Each step has its whole retry policy again, and those with
 * these keys begin again. One that waited for its next attempt when its run was canceled stops waiting.
 */
export function restart(keys: readonly string[]): Prisma.Sql {
  const isAgain = Prisma.sql`key = any (${[...keys]}::text[])`;
  return Prisma.sql`
    attempts_before = attempt_count, state = case when ${isAgain} then 'reset' else state end,
    due_at = case when ${isAgain} then null when state = 'retrying' then now() else due_at end,
    result = case when ${isAgain} then null else result end`;
}

/**
 * Assignments for `update queue run set`. A run that waits for its next attempt keeps its place in
 * its retry policy.
 */
export const hurry = Prisma.sql`
  reason_code = null, reason_detail = null, crash_count = 0, due_at = now()`;

/**
 * Ends open runs as canceled. A result of a call in flight is recorded as late. Their earlier
 * attempts stay where they are. A worker in whose memory some wait hears of it.
 *
 * @param condition a condition on `queue`
 */
export function cancelQueued(condition: Prisma.Sql, { code, detail }: RunReason): Prisma.Sql {
  // The last condition is always true: PostgreSQL leaves out a part that nothing reads.
  return Prisma.sql`
    with open as (
      delete from queue where ${condition} returning *
    ), told as materialized (
      select pg_notify(${hookChangedChannel}, hook_id::text)
      from (select distinct hook_id from open where lease_id is not null and hook_id is not null) as changed
    )
    insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, finished_at, attempt_count, has_own_id, state,
      reason_code, reason_detail)
    select id, account_id, target_id, hook_id, delivery_id, event_id, now(), attempt_count, has_own_id, 'cancelled', ${code}, ${detail}
    from open where (select count(*) from told) >= 0`;
}

export const cancelledManually: RunReason = {
  code: "cancelled",
  detail: "It was canceled manually.",
};
