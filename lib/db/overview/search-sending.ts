import type { Database } from "#lib/db/postgres/client.ts";

/** A search result of what an account sends. */
export type SendingResult =
  | {
      readonly kind: "subscription";
      readonly id: string;
      readonly receiverUrl: string;
      readonly description: string | null;
      readonly recipient: string | null;
    }
  | { readonly kind: "recipient"; readonly id: string; readonly name: string | null }
  | { readonly kind: "event_type"; readonly id: string; readonly description: string | null };

/**
 * Finds recipients and event types by part of their id or name, and subscriptions by their id or part
 * of their URL or description: at most `limit` of each kind.
 *
 * @param id the text, if it is an id
 */
export async function searchSending(
  db: Database,
  accountId: string,
  { text, id, limit }: { text: string; id: string | null; limit: number },
): Promise<readonly SendingResult[]> {
  const [types, recipients, subscriptions] = await Promise.all([
    db.$queryRaw<{ name: string; description: string | null }[]>`
      select name, description from event_types
      where account_id = ${accountId}::uuid and strpos(lower(name), lower(${text})) > 0
      order by strpos(lower(name), lower(${text})), name limit ${limit}::int`,
    db.$queryRaw<{ id: string; name: string | null }[]>`
      select id, name from recipients
      where account_id = ${accountId}::uuid
        and (strpos(lower(id), lower(${text})) > 0 or strpos(lower(name), lower(${text})) > 0)
      order by id limit ${limit}::int`,
    db.$queryRaw<SubscriptionRow[]>`
      select id, receiver_url, description, recipient from subscriptions
      where account_id = ${accountId}::uuid and deleted_at is null
        and (id = ${id}::uuid or strpos(lower(receiver_url), lower(${text})) > 0
          or strpos(lower(description), lower(${text})) > 0)
      order by id desc limit ${limit}::int`,
  ]);
  return [
    ...types.map(
      ({ name, description }) => ({ kind: "event_type", id: name, description }) as const,
    ),
    ...recipients.map((row) => ({ kind: "recipient", ...row }) as const),
    ...subscriptions.map(
      (row) => ({ kind: "subscription", ...row, receiverUrl: row.receiver_url }) as const,
    ),
  ];
}

type SubscriptionRow = {
  id: string;
  receiver_url: string;
  description: string | null;
  recipient: string | null;
};
