import type { AlertProblem } from "#lib/core/watch/alerts/alert-message.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { AlertEvent, ChannelKind } from "#lib/schema/watch/alert.ts";
import { problemDetailsSchema } from "#lib/schema/watch/problem.ts";

/** A message that this process is to send, until its lease ends. */
export type ClaimedAlert = {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly channelId: string;
  readonly kind: ChannelKind;
  readonly target: string;
  readonly ciphertext: Uint8Array | null;
  /** Of the link in an email to a recipient's people. Null: a channel of the account. */
  readonly linkToken: string | null;
  /** The name of the portal. Null: that of the account. */
  readonly portalName: string | null;
  readonly problemId: string | null;
  readonly event: AlertEvent;
  /** Counted from 1. */
  readonly attemptNumber: number;
};

/**
 * Leases due messages and records that they are tried, before anything is sent. If this process
 * dies, the lease ends and another one sends them again under the same key. A later message of a
 * problem waits for the earlier one of the same channel.
 */
export async function claimAlerts(
  db: SqlDatabase,
  { leaseId, leaseMs, limit }: { leaseId: string; leaseMs: number; limit: number },
): Promise<readonly ClaimedAlert[]> {
  return await db.$queryRaw<ClaimedAlert[]>`
    with due as materialized (
      select id from alerts a
      where state = 'waiting' and due_at <= now()::timestamptz(3) and (leased_until is null or leased_until < now())
        and not exists (
          select from alerts o
          where o.problem_id = a.problem_id and o.channel_id = a.channel_id and o.state = 'waiting' and o.id < a.id
        )
      order by due_at limit ${limit}::int for update skip locked
    ), claimed as (
      update alerts a
      set lease_id = ${leaseId}::uuid, leased_until = now() + ${leaseMs}::int * interval '1 ms', attempt_count = attempt_count + 1
      from due where a.id = due.id
      returning a.*
    ), tried as (
      insert into alert_attempts (alert_id, number, started_at) select id, attempt_count, now() from claimed
    )
    select a.id, a.account_id as "accountId", acc.name as "accountName", a.channel_id as "channelId", c.kind, c.target, c.ciphertext,
      c.link_token as "linkToken", ss.portal_name as "portalName",
      a.problem_id as "problemId", a.event, a.attempt_count as "attemptNumber"
    from claimed a join alert_channels c on c.id = a.channel_id join accounts acc on acc.id = a.account_id
    left join sender_settings ss on ss.account_id = a.account_id and c.recipient is not null`;
}

export type AlertOutcome = {
  readonly isSent: boolean;
  readonly message: string;
  readonly durationMs: number;
  /** Null: it has ended. */
  readonly retryInMs: number | null;
};

/** Records how an attempt went. Only the holder of the lease ends or delays the message. */
export async function finishAlert(
  db: SqlStatements,
  { id, attemptNumber }: Pick<ClaimedAlert, "id" | "attemptNumber">,
  leaseId: string,
  { isSent, message, durationMs, retryInMs }: AlertOutcome,
): Promise<void> {
  const state = isSent ? "sent" : retryInMs === null ? "failed" : "waiting";
  await db.$executeRaw`
    with tried as (
      update alert_attempts set duration_ms = ${durationMs}::int, is_sent = ${isSent}::boolean, message = ${message}
      where alert_id = ${id}::uuid and number = ${attemptNumber}::int
    )
    update alerts set state = ${state}, lease_id = null, leased_until = null,
      due_at = case when ${state} = 'waiting' then now() + ${retryInMs ?? 0}::int * interval '1 ms' else due_at end,
      ended_at = case when ${state} = 'waiting' then null else now() end
    where id = ${id}::uuid and lease_id = ${leaseId}::uuid`;
}

type Row = Omit<AlertProblem, "count" | "details"> & {
  readonly count: bigint;
  readonly details: string;
};

/** The problem of a message, or those of a digest, newest first, as they are now. */
export async function readAlertProblems(
  db: SqlStatements,
  { id, problemId }: Pick<ClaimedAlert, "id" | "problemId">,
): Promise<readonly AlertProblem[]> {
  const rows = await db.$queryRaw<Row[]>`
    select p.id, p.kind, p.state, p.reason, p.details::text as details, h.name as "hookName", a.name as "actionName",
      s.receiver_url as "receiverUrl", coalesce(r.name, s.recipient) as recipient, p.first_at as "firstAt",
      p.last_at as "lastAt", p.count, p.resolved_at as "resolvedAt", p.resolved_by as "resolvedBy", p.resolution, p.acknowledged_by as "acknowledgedBy"
    from problems p
    left join hooks h on h.id = p.hook_id
    left join actions a on a.id = p.action_id
    left join subscriptions s on s.id = p.subscription_id
    left join recipients r on r.account_id = s.account_id and r.id = s.recipient
    where p.id = ${problemId}::uuid or p.id in (select problem_id from alerts where digest_id = ${id}::uuid)
    order by p.id desc`;
  return rows.map((row) => ({
    ...row,
    count: Number(row.count),
    details: problemDetailsSchema.parse(JSON.parse(row.details)),
  }));
}
