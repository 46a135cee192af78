import { newId } from "#lib/base/ids.ts";
import type { Database } from "#lib/db/postgres/client.ts";

type SubscriptionFields = {
  readonly recipient?: string | null;
  readonly eventTypes?: readonly string[];
  readonly receiverUrl?: string;
  readonly ordered?: boolean;
  readonly status?: "active" | "disabled" | "pending";
  readonly deletedAt?: Date | null;
};

/** Adds an account without hooks. @returns its id */
export async function addAccount(db: Database): Promise<string> {
  const id = newId();
  const slug = `a${id.slice(-12)}`;
  await db.account.create({ data: { id, slug, name: slug } });
  return id;
}

/** Adds a subscription to all event types without a recipient, unless the fields say otherwise. */
export async function addSubscription(
  db: Database,
  accountId: string,
  { recipient = null, eventTypes = ["*"], ...fields }: SubscriptionFields = {},
): Promise<string> {
  const id = newId();
  const patterns = eventTypes.map((pattern) => ({
    accountId,
    recipient: recipient ?? "",
    pattern,
  }));
  await db.subscription.create({
    data: {
      id,
      accountId,
      recipient,
      eventTypes: [...eventTypes],
      receiverUrl: "https://receiver.example",
      ...fields,
      patterns: { create: patterns },
    },
  });
  return id;
}
