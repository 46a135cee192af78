import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * The reason for the response that the provider got: the run's reply; or 202, because the run has
 * none, wasn't done in time, too many requests waited, or the process stopped. `closed`: the
 * provider got no response.
 */
export type SentAs =
  | ("reply" | "none" | "timeout" | "busy" | "closed" | "stopping")
  /** The response of a program that listens; or that can't be passed on, or didn't come in time. */
  | ("listener" | "listener_none" | "listener_timeout");

export type SentReply = {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly sentAs: SentAs;
  /** The status that was sent. Null: the provider closed its connection. */
  readonly status: number | null;
  /** The time since the request's arrival. */
  readonly afterMs: number;
};

/** Stores responses for the delivery's page. A delivery can't have a second one. */
export async function recordSentReplies(
  db: SqlStatements,
  sent: readonly SentReply[],
): Promise<void> {
  await db.$executeRaw`
    insert into answers (id, account_id, sent_as, sent_status, sent_after_ms)
    select * from unnest(
      ${sent.map(({ deliveryId }) => deliveryId)}::uuid[], ${sent.map(({ accountId }) => accountId)}::uuid[],
      ${sent.map(toStored)}::text[], ${sent.map(({ status }) => status)}::int[],
      ${sent.map(({ afterMs }) => afterMs)}::int[]
    ) as t(id, account_id, sent_as, sent_status, sent_after_ms) order by id
    on conflict (id) do update set sent_as = excluded.sent_as, sent_status = excluded.sent_status,
      sent_after_ms = excluded.sent_after_ms`;
}

/** The column has an older word for a reply. */
function toStored({ sentAs }: SentReply): string {
  return sentAs === "reply" ? "answer" : sentAs;
}
