import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { RunListItem } from "#lib/schema/run.ts";
import { reasonCode, reasonDetail, runSources, runStatusSql, toRunReason } from "./run-record.ts";

/**
 * Read as text, where it comes first: PostgreSQL's own operators read the whole object and fail at
 * a NUL in the receiver's body.
 */
const httpStatusSql = Prisma.sql`substring(response::text from '^\\{"status":(\\d+)')::int`;

type Selected = Omit<RunListItem, "reason" | "nextAttemptAt"> & {
  readonly dueAt: Date;
  readonly reasonCode: string | null;
  readonly reasonDetail: string | null;
};

/** These runs, newest first, with the names of what they belong to: one key lookup each. */
export async function readRunRows(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly RunListItem[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<Selected[]>`
    select r.id, ${runStatusSql} as status, ${reasonCode} as "reasonCode",
      ${reasonDetail} as "reasonDetail", r.attempt_count as "attemptCount", r.due_at as "dueAt",
      r.created_at as "createdAt", attempt.duration_ms as "durationMs",
      attempt.http_status as "httpStatus", attempt.error_code as "errorCode", r.delivery_id as "deliveryId",
      d.event_type as "eventType", d.event_id as "eventId", coalesce(d.is_sample, false) as "isSample", h.id as "hookId", h.name as "hookName", r.action_id as "actionId",
      case when a.deleted_at is null then a.name end as "actionName"
    from ${runSources}
    left join lateral (select event_type, event_id, is_sample from deliveries where id = r.delivery_id limit 1) d on true
    left join lateral (
      select duration_ms, ${httpStatusSql} as http_status, error_code from attempts
      where run_id = r.id and id >= uuid_v7_floor(r.created_at - interval '1 minute') and not late
      order by number desc limit 1
    ) attempt on r.attempt_count > 0
    where r.id = any (${[...ids]}::uuid[]) and r.account_id = ${accountId}::uuid
    order by r.id desc`;
  return rows.map(({ dueAt, reasonCode: code, reasonDetail: detail, ...row }) => ({
    ...row,
    reason: toRunReason(code, detail),
    nextAttemptAt: row.status === "queued" || row.status === "retrying" ? dueAt : null,
  }));
}
