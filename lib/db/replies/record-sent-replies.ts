import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Why the provider got what it got: the answer of the run; or 202, because the run has none, was not
 * done in time, too many waited, or the process stopped. `closed`: it got nothing.
 */
export type SentAs = "answer" | "none" | "timeout" | "busy" | "closed" | "stopping";

export type SentReply = {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly sentAs: SentAs;
  /** Null: it closed its connection. */
  readonly status: number | null;
  /** From the request's arrival on. */
  readonly afterMs: number;
};

/** For the delivery's page. A second answer to the same delivery is not possible. */
export async function recordSentReplies(
  db: SqlStatements,
  sent: readonly SentReply[],
): Promise<void> {
  await db.$executeRaw`
    insert into answers (id, account_id, sent_as, sent_status, sent_after_ms)
    select * from unnest(
      ${sent.map(({ deliveryId }) => deliveryId)}::uuid[], ${sent.map(({ accountId }) => accountId)}::uuid[],
      ${sent.map(({ sentAs }) => sentAs)}::text[], ${sent.map(({ status }) => status)}::int[],
      ${sent.map(({ afterMs }) => afterMs)}::int[]
    ) as t(id, account_id, sent_as, sent_status, sent_after_ms) order by id
    on conflict (id) do update set sent_as = excluded.sent_as, sent_status = excluded.sent_status,
      sent_after_ms = excluded.sent_after_ms`;
}
