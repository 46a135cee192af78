import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";

/** A message for the account about a subscription. */
export type NoticeRecord = {
  readonly id: string;
  readonly kind: "subscription_failing" | "subscription_disabled";
  readonly subscriptionId: string;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly recipient: string | null;
  readonly detail: string;
  readonly createdAt: Date;
};

/** Lists notices that aren't dismissed, newest first. */
export async function listNotices(
  db: Database,
  accountId: string,
  limit: number,
): Promise<readonly NoticeRecord[]> {
  const rows = await db.notice.findMany({
    where: { accountId, dismissedAt: null, subscription: { deletedAt: null } },
    orderBy: { id: "desc" },
    take: limit,
    omit: { accountId: true, dismissedAt: true },
    include: {
      subscription: { select: { receiverUrl: true, description: true, recipient: true } },
    },
  });
  return rows.map(({ subscription, kind, ...notice }) => ({
    ...notice,
    ...subscription,
    kind: kind as NoticeRecord["kind"],
  }));
}

/** Throws `not_found`. */
export async function dismissNotice(
  db: Database | Transaction,
  accountId: string,
  noticeId: string,
): Promise<void> {
  const count = await db.$executeRaw`
    update notices set dismissed_at = coalesce(dismissed_at, now())
    where id = ${requireId("notice", noticeId)}::uuid and account_id = ${accountId}::uuid`;
  if (count === 0) throw notFound("notice");
}
