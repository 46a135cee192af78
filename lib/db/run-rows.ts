import type { RunStatus } from "#lib/schema/run.ts";
import type { Database } from "./client.ts";
import { runSources, runStatusSql } from "./run-record.ts";

/** A run as a list across hooks shows it. */
export type RunRow = {
  readonly id: string;
  readonly status: RunStatus;
  /** `code: sentence` */
  readonly reason: string | null;
  readonly attemptCount: number;
  /** Null when none is coming, or one is under way. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Of the last attempt, in milliseconds. */
  readonly durationMs: number | null;
  readonly deliveryId: string | null;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly hookId: string | null;
  readonly hookName: string | null;
  readonly actionId: string | null;
  /** Null: it was deleted. */
  readonly actionName: string | null;
};

/** These runs, newest first, with the names of what they belong to: one look-up by key each. */
export async function readRunRows(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly RunRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<(RunRow & { dueAt: Date })[]>`
    select r.id, ${runStatusSql} as status, r.reason, r.attempt_count as "attemptCount", r.due_at as "dueAt",
      r.created_at as "createdAt", attempt.duration_ms as "durationMs", r.delivery_id as "deliveryId",
      d.event_type as "eventType", d.event_id as "eventId", h.id as "hookId", h.name as "hookName", r.action_id as "actionId",
      case when a.deleted_at is null then a.name end as "actionName"
    from ${runSources}
    left join lateral (select event_type, event_id from deliveries where id = r.delivery_id limit 1) d on true
    left join lateral (
      select duration_ms from attempts
      where run_id = r.id and id >= uuid_v7_floor(r.created_at - interval '1 minute') and not late
      order by number desc limit 1
    ) attempt on r.attempt_count > 0
    where r.id = any (${[...ids]}::uuid[]) and r.account_id = ${accountId}::uuid
    order by r.id desc`;
  return rows.map(({ dueAt, ...row }) => ({
    ...row,
    nextAttemptAt: row.status === "queued" || row.status === "retrying" ? dueAt : null,
  }));
}
