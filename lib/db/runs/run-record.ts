import { Prisma } from "#lib/db/generated/client.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";

/** A run as its owner sees it. */
export type RunRecord = {
  readonly id: string;
  readonly deliveryId: string | null;
  /** The event's id that its publisher and its receiver know. */
  readonly eventId: string | null;
  /** The key of the event in the database. */
  readonly internalEventId: string | null;
  readonly actionId: string | null;
  readonly subscriptionId: string | null;
  /**
   * The version of the action at the last attempt. Null: it hasn't ended, nothing was tried, or it
   * is a send.
   */
  readonly actionVersion: number | null;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly attemptCount: number;
  /** When the next attempt is due. Null if none is scheduled or one is in flight. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

/**
 * Condition on `runSources`: the run waits until its hook is active and its action enabled, or its
 * subscription is active.
 */
const isHeld = Prisma.sql`(case when r.hook_id is null then s.status is distinct from 'active'
  else h.status is distinct from 'active' or a.enabled is not true or a.held_since is not null
    or a.deleted_at is not null end)`;

/** The code of a run that waits until a user says what happened to a call. */
export const outcomeUnknown = "outcome_unknown";

/** Condition on an action `a`: its breaker or that of a destination is open. */
export function isDown(targetId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`exists (
    select from target_breakers b where b.target_id = any (array_append(a.destination_ids, ${targetId}))
      and b.down_since is not null and b.ramp is null)`;
}

/**
 * The status of a run, over `runSources`. The stored state is the run's state in the queue. The
 * shown status also depends on its surroundings: a run is running while it has a valid lease, and
 * held while its hook isn't active, its action is disabled or held, its subscription isn't active,
 * a call's outcome is unknown, or its receiver is down.
 */
export const runStatusSql = Prisma.sql`
  case
    when r.finished_at is not null then r.state
    when r.lease_id is not null then 'running'
    when ${isHeld} or r.reason_code = ${outcomeUnknown}
      or (r.due_at <= now() and ${isDown(Prisma.sql`r.target_id`)}) then 'held'
    else r.state
  end`;

/** The creation time of a run, over `runSources`, from its id. */
export const runCreatedAt = Prisma.sql`to_timestamp(uuid_v7_ms(r.id) / 1000.0)`;

export const runColumns = Prisma.sql`
  r.id, r.delivery_id, r.event_id as internal_event_id,
  case when r.event_id is not null
    then coalesce((select public_id from events where id = r.event_id limit 1), r.event_id::text) end as event_id,
  case when r.hook_id is not null then r.target_id end as action_id,
  case when r.hook_id is null then r.target_id end as subscription_id, r.version, ${runStatusSql} as status, r.reason_code,
  r.reason_detail, r.attempt_count, r.due_at, ${runCreatedAt} as created_at, r.finished_at`;

/** Condition that hides rows of deleted hooks and subscriptions from their owner. */
export const isOfLiveOwner = Prisma.sql`(case when r.hook_id is null then s.id is not null and s.deleted_at is null
  else h.id is not null and h.deleted_at is null end)`;

export type RunRow = {
  id: string;
  delivery_id: string | null;
  event_id: string | null;
  internal_event_id: string | null;
  action_id: string | null;
  subscription_id: string | null;
  version: number | null;
  status: RunStatus;
  reason_code: string | null;
  reason_detail: string | null;
  attempt_count: number;
  due_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
};

export function toRunRecord(row: RunRow): RunRecord {
  const isWaiting = row.status === "queued" || row.status === "retrying";
  return {
    id: row.id,
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    internalEventId: row.internal_event_id,
    actionId: row.action_id,
    subscriptionId: row.subscription_id,
    actionVersion: row.version,
    status: row.status,
    reason: toRunReason(row.reason_code, row.reason_detail),
    attemptCount: row.attempt_count,
    nextAttemptAt: isWaiting ? row.due_at : null,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/** The code of runs that ended before reasons had one. */
export const unknownReason = "unknown";

export function toRunReason(code: string | null, detail: string | null): RunReason | null {
  return detail === null ? null : { code: code ?? unknownReason, detail };
}
