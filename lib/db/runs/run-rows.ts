import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { runCreatedAt, runStatusSql, toRunReason } from "./run-record.ts";
import { runSourcesOf } from "./run-sources.ts";

/**
 * Reads the status from the JSON text, where it comes first: PostgreSQL's own operators read the
 * whole object and fail at a NUL in the receiver's body.
 */
function httpStatusSql(response: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`substring(${response} from '^\\{"status":(\\d+)')::int`;
}

type Selected = Omit<RunListItem, "reason" | "nextAttemptAt"> & {
  readonly dueAt: Date | null;
  readonly reasonCode: string | null;
  readonly reasonDetail: string | null;
};

/** Reads these runs, newest first, with the names of what they belong to: one key lookup each. */
export async function readRunRows(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly RunListItem[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<Selected[]>`
    select r.id, ${runStatusSql} as status, r.reason_code as "reasonCode",
      r.reason_detail as "reasonDetail", r.attempt_count as "attemptCount", r.due_at as "dueAt",
      ${runCreatedAt} as "createdAt", attempt.duration_ms as "durationMs",
      attempt.http_status as "httpStatus", attempt.error_code as "errorCode", r.delivery_id as "deliveryId",
      coalesce(d.event_type, e.type) as "eventType", coalesce(d.event_id, e.public_id, r.event_id::text) as "eventId", coalesce(d.is_sample, false) as "isSample", h.id as "hookId", h.name as "hookName",
      case when r.hook_id is not null then r.target_id end as "actionId",
      case when a.deleted_at is null then a.name end as "actionName",
      case when r.hook_id is null then r.target_id end as "subscriptionId", r.event_id as "internalEventId",
      s.receiver_url as "receiverUrl", s.description as "subscriptionDescription", s.recipient
    from ${runSourcesOf(Prisma.sql`${[...ids]}::uuid[]`)}
    left join lateral (select event_type, event_id, is_sample from deliveries where id = r.delivery_id limit 1) d on true
    left join lateral (select type, public_id from events where id = r.event_id limit 1) e on true
    left join lateral (
      select r.duration_ms, ${httpStatusSql(Prisma.sql`r.response`)} as http_status, r.error_code where r.started_at is not null
      union all
      (
        select duration_ms, ${httpStatusSql(Prisma.sql`response::text`)} as http_status, error_code from attempts
        where run_id = r.id and id >= uuid_v7_floor(${runCreatedAt} - interval '1 minute') and not late
          and r.started_at is null and r.attempt_count > 0
        order by number desc limit 1
      )
    ) attempt on true
    where r.account_id = ${accountId}::uuid
    order by r.id desc`;
  return rows.map(({ dueAt, reasonCode: code, reasonDetail: detail, ...row }) => ({
    ...row,
    reason: toRunReason(code, detail),
    nextAttemptAt: row.status === "queued" || row.status === "retrying" ? dueAt : null,
  }));
}
