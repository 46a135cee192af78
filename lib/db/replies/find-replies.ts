import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { SentAs } from "./record-sent-replies.ts";

/** The reply of a run that has ended. */
export type StoredReply = {
  readonly deliveryId: string;
  /** Null: the run has no reply. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
};

/** Finds the replies to deliveries whose run has ended. The others are missing. */
export async function findReplies(
  db: SqlStatements,
  deliveryIds: readonly string[],
): Promise<readonly StoredReply[]> {
  return await db.$queryRaw<StoredReply[]>`
    select id as "deliveryId", status, headers, body from answers
    where id = any (${[...deliveryIds]}::uuid[]) and run_id is not null`;
}

/** The response that the provider of a delivery got. */
export type DeliveryReply = {
  readonly status: number | null;
  readonly body: string | null;
  /** The reason the run had no reply. */
  readonly problem: string | null;
  readonly sentAs: SentAs | null;
  readonly sentStatus: number | null;
  readonly sentAfterMs: number | null;
};

/** Null: the hook didn't wait for a reply when the delivery arrived. */
export async function findDeliveryReply(
  db: SqlStatements,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryReply | null> {
  const [found] = await db.$queryRaw<DeliveryReply[]>`
    select status, body, problem, case sent_as when 'answer' then 'reply' else sent_as end as "sentAs",
      sent_status as "sentStatus", sent_after_ms as "sentAfterMs"
    from answers where id = ${deliveryId}::uuid and account_id = ${accountId}::uuid`;
  return found ?? null;
}
