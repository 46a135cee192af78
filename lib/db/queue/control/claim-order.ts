import { Prisma } from "../../generated/client.ts";
import { queueSlack } from "./action-queues.ts";
import { frontColumns, frontNames } from "./claim-limits.ts";

/** The key of a run whose key isn't known yet. Hashes are greater. */
export const unkeyedKey = -(2n ** 63n);
export const unkeyed = Prisma.raw(`(${unkeyedKey})::bigint`);
/** The maximum number of runs of an action whose keys are being looked for. */
export const maxUnkeyed = 100;
/**
 * The maximum number of keys that a claim reads, starting at a random one and then at the lowest.
 */
const maxKeys = 100;

/**
 * A leased run of an ordered action is moved to the front of its queue: it can be anywhere among its
 * keys, and has to be found by the claim, which counts it, and by a rescue.
 */
export const leasedAge = Prisma.raw(`interval '20 years'`);
export const dueWhenFreed = Prisma.sql`case when r.due_at < now() - interval '10 years' then now() else r.due_at end`;

/**
 * Condition on `target_turns t`: this claim sees the changes of the claim that had the turn last.
 */
export const isSeen = Prisma.sql`(t.transaction_id is null
  or pg_visible_in_snapshot(t.transaction_id::text::xid8, pg_current_snapshot()))`;

/** Condition for a failing run that no longer holds the ones behind it. */
const isSkipped = Prisma.sql`(q.skip_after is not null and r.reason_code is not null
  and coalesce(r.retried_at, to_timestamp(uuid_v7_ms(r.id) / 1000.0)) < now() - q.skip_after)`;

/**
 * Parts of the claim: the runs that ordered actions may start, one of each key. One worker at a
 * time has the turn of an action, if it sees the changes of the last one: two that look at
 * different keys could together exceed the action's concurrency. A run may start if it is the
 * oldest of its key and no older run could have the same key without being known yet.
 */
export const orderedHeads = Prisma.sql`turns as materialized (
      select q.*, (
          select id from queue r
          where r.account_id = q.account_id and r.target_id = q.target_id and r.order_key = ${unkeyed}
          order by r.account_id, r.target_id, r.order_key, r.id limit 1
        ) as unkeyed_id, ((random() * 2 - 1) * 9.2e18)::bigint as from_key
      from (
        select t.target_id from target_turns t
        where t.target_id = any (array(select target_id from open_queues where is_keyed)) and ${isSeen}
        for update skip locked
      ) t join open_queues q using (target_id)
    ), keys (account_id, target_id, order_key, until_key, step) as (
      select account_id, target_id, part.order_key, part.until_key, 0
      from turns cross join lateral (
        values (from_key, 9223372036854775807), (${unkeyed}, from_key)
      ) as part(order_key, until_key)
      union all
      select k.account_id, k.target_id, next.order_key, k.until_key, k.step + 1
      from keys k cross join lateral (
        select order_key from queue r
        where r.account_id = k.account_id and r.target_id = k.target_id and r.order_key > k.order_key and r.order_key <= k.until_key
        order by r.account_id, r.target_id, r.order_key, r.id limit 1
      ) next
      where k.step < ${maxKeys}::int
    ), heads as materialized (
      select q.target_id as of_target, head.* from turns q join keys k on k.target_id = q.target_id and k.step > 0
      cross join lateral (
        select ${frontColumns} from queue r
        where r.account_id = k.account_id and r.target_id = k.target_id and r.order_key = k.order_key and not ${isSkipped}
        order by r.account_id, r.target_id, r.order_key, r.id limit 1
      ) head
      where head.lease_id is null and head.due_at <= now() and (q.unkeyed_id is null or head.id < q.unkeyed_id)
      union all
      select q.target_id, skipped.* from turns q cross join lateral (
        select ${frontColumns} from (
          select *, ctid from queue r
          where r.account_id = q.account_id and r.target_id = q.target_id and r.reason_code is not null and q.skip_after is not null
          order by r.account_id, r.target_id, r.id limit 1016
        ) r
        where r.lease_id is null and r.due_at <= now() and r.order_key > ${unkeyed} and ${isSkipped}
      ) skipped
    )`;

/**
 * The rows of the queue `l` if its action is ordered: leased runs, runs without a key, and the
 * heads.
 */
export const orderedFront = Prisma.sql`(
            select ${frontColumns} from queue
            where l.is_keyed and account_id = l.account_id and target_id = l.target_id
              and due_at > now() - ${leasedAge} - interval '1 day' and due_at < now() - interval '10 years'
            order by due_at limit 1016
          )
          union all
          (
            select id, ctid, due_at, body_size, lease_id, worker_id, crash_count, true from queue
            where l.is_keyed and account_id = l.account_id and target_id = l.target_id and order_key = ${unkeyed}
            order by account_id, target_id, order_key, id limit ${maxUnkeyed + queueSlack}::int
          )
          union all
          (select ${frontNames} from heads where l.is_keyed and of_target = l.target_id)`;

export const turned = Prisma.sql`turned as (
      insert into target_turns (target_id, transaction_id)
      select distinct target_id, pg_current_xact_id()::text::bigint from started
      where target_id = any (array(select target_id from turns union all select target_id from destination_turns))
      on conflict (target_id) do update set transaction_id = excluded.transaction_id
    )`;
