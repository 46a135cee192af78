import { listPatterns } from "#lib/core/sending/event-type-patterns.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";
import type { Topic } from "./match-subscriptions.ts";

export type MatchingSubscription = {
  readonly id: string;
  readonly status: SubscriptionStatus;
  readonly receiverUrl: string;
  readonly description: string | null;
};

/**
 * The subscriptions of the topic's recipient that match its type, of every status, newest first. A
 * recipient has at most 1,000.
 */
export async function findMatching(
  db: SqlStatements,
  { accountId, type, recipient }: Topic,
): Promise<readonly MatchingSubscription[]> {
  return await db.$queryRaw<MatchingSubscription[]>`
    select id, status, receiver_url as "receiverUrl", description from subscriptions
    where deleted_at is null and id in (
      select subscription_id from subscription_patterns
      where account_id = ${accountId}::uuid and recipient = ${recipient ?? ""}
        and pattern = any (${[...listPatterns(type)]}::text[])
    ) order by id desc`;
}

/** True if the recipient has a subscription, for any type and of any status. */
export async function isSubscribed(
  db: SqlStatements,
  { accountId, recipient }: Pick<Topic, "accountId" | "recipient">,
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    select exists (
      select from subscription_patterns join subscriptions s on s.id = subscription_id
      where subscription_patterns.account_id = ${accountId}::uuid
        and subscription_patterns.recipient = ${recipient ?? ""} and s.deleted_at is null
    ) as found`;
  return row?.found === true;
}
