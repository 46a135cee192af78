import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";

/** Something that the account should know about a subscription. */
export type NoticeRecord = {
  readonly id: string;
  readonly kind: "subscription_failing" | "subscription_disabled";
  readonly subscriptionId: string;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly detail: string;
  readonly createdAt: Date;
};

/** Those that aren't dismissed, newest first. */
export async function listNotices(
  db: Database,
  accountId: string,
  limit: number,
): Promise<readonly NoticeRecord[]> {
  return await db.$queryRaw<NoticeRecord[]>`
    select n.id, n.kind, n.subscription_id as "subscriptionId", s.receiver_url as "receiverUrl", s.description,
      n.detail, n.created_at as "createdAt"
    from notices n join subscriptions s on s.id = n.subscription_id and s.deleted_at is null
    where n.account_id = ${accountId}::uuid and n.dismissed_at is null
    order by n.id desc limit ${limit}::int`;
}

/** Throws `not_found`. */
export async function dismissNotice(
  db: Database,
  accountId: string,
  noticeId: string,
): Promise<void> {
  const count = await db.$executeRaw`
    update notices set dismissed_at = coalesce(dismissed_at, now())
    where id = ${requireId("notice", noticeId)}::uuid and account_id = ${accountId}::uuid`;
  if (count === 0) throw notFound("notice");
}

/** Active subscriptions whose every call fails, the longest first. */
export async function listFailingSubscriptions(
  db: Database,
  accountId: string,
  limit: number,
): Promise<
  readonly {
    readonly id: string;
    readonly receiverUrl: string;
    readonly description: string | null;
    readonly recipient: string | null;
    readonly failingSince: Date;
  }[]
> {
  return await db.$queryRaw`
    select s.id, s.receiver_url as "receiverUrl", s.description, s.recipient, h.failing_since as "failingSince"
    from subscription_health h join subscriptions s on s.id = h.subscription_id
    where h.account_id = ${accountId}::uuid and s.status = 'active' and s.deleted_at is null
    order by h.failing_since limit ${limit}::int`;
}
