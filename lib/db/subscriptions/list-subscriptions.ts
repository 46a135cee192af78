import {
  decodeCursor,
  encodeCursor,
  type Page,
  type PageRequest,
  toPage,
} from "#lib/core/api/page.ts";
import { listPatterns } from "#lib/core/sending/event-type-patterns.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SubscriptionQuery } from "#lib/schema/send/subscription.ts";
import {
  type SubscriptionRecord,
  type SubscriptionRow,
  subscriptionColumns,
  toSubscriptionRecord,
} from "./subscription-record.ts";
import { readSecrets } from "./subscription-secrets.ts";

export type SubscriptionFilter = Partial<
  Pick<SubscriptionQuery, "recipient" | "status" | "eventType" | "q">
>;

/** The maximum number of scanned subscriptions. Each is one row of an index and of the table. */
const maxScanned = 2_000;

/**
 * Lists subscriptions, newest first, by keyset. A page reads at most 2,000 subscriptions, so with a
 * filter that matches few, it may be short or empty and still have a `nextCursor`. The portal gives
 * a recipient.
 */
export async function listSubscriptions(
  db: Database,
  accountId: string,
  filter: SubscriptionFilter,
  page: PageRequest,
): Promise<Page<SubscriptionRecord>> {
  const { recipient, status, eventType, q } = filter;
  const isFiltered = status !== undefined || eventType !== undefined || q !== undefined;
  const scanLimit = isFiltered ? maxScanned : page.limit + 1;
  const conditions = [
    ...(status === undefined ? [] : [Prisma.sql`s.status = ${status}`]),
    ...(eventType === undefined
      ? []
      : [Prisma.sql`s.event_types && ${[...listPatterns(eventType)]}::text[]`]),
    ...(q === undefined ? [] : [contains(q)]),
  ];
  const rows = await db.$queryRaw<(SubscriptionRow & { scanned: number; last_id: string })[]>`
    with scanned as materialized (
      select * from subscriptions
      where account_id = ${accountId}::uuid and id < ${decodeCursor(page.cursor)}::uuid and deleted_at is null
        ${ofRecipient(recipient)}
      order by id desc limit ${scanLimit}::int
    ), bounds as (
      select count(*)::int as scanned, (select id from scanned order by id limit 1) as last_id from scanned
    ), found as (
      select s.* from scanned s
      where ${conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ")}
      order by s.id desc limit ${page.limit + 1}::int
    )
    select bounds.scanned, bounds.last_id, ${subscriptionColumns}
    from bounds left join found s on true order by s.id desc`;
  const { items, nextCursor } = toPage(
    rows.filter(({ id }) => id !== null),
    page.limit,
  );
  const [bounds] = rows;
  const isCut = isFiltered && bounds !== undefined && bounds.scanned === scanLimit;
  const secrets = await readSecrets(
    db,
    items.map(({ id }) => id),
  );
  return {
    items: items.map((row) => toSubscriptionRecord(row, secrets.get(row.id) ?? [])),
    nextCursor: nextCursor ?? (isCut ? encodeCursor(bounds.last_id) : null),
  };
}

function ofRecipient(recipient: string | undefined): Prisma.Sql {
  return recipient === undefined ? Prisma.empty : Prisma.sql`and recipient = ${recipient}`;
}

function contains(q: string): Prisma.Sql {
  return Prisma.sql`(
    strpos(lower(s.receiver_url), lower(${q})) > 0
    or strpos(lower(coalesce(s.description, '')), lower(${q})) > 0
    or strpos(lower(coalesce(s.recipient, '')), lower(${q})) > 0
    or s.id::text = lower(${q})
  )`;
}

/** Counts the subscriptions of each status, up to 10,000. */
export async function countSubscriptions(
  db: Database,
  accountId: string,
  scope: { readonly recipient?: string | undefined } = {},
): Promise<Readonly<Record<string, number>>> {
  const rows = await db.$queryRaw<{ status: string; count: number }[]>`
    select status, count(*)::int as count from (
      select status from subscriptions
      where account_id = ${accountId}::uuid and deleted_at is null ${ofRecipient(scope.recipient)}
      limit 10000
    ) counted group by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const pageSize = 500;

/** The next 500 of an account's subscriptions that have headers of their own, by id. Headers stay sealed. */
export async function listSealedHeaders(tx: Transaction, accountId: string, afterId?: string) {
  return await tx.subscription.findMany({
    where: {
      accountId,
      deletedAt: null,
      headersCiphertext: { not: null },
      ...(afterId !== undefined && { id: { gt: afterId } }),
    },
    orderBy: { id: "asc" },
    take: pageSize,
    select: { id: true, accountId: true, receiverUrl: true, headersCiphertext: true },
  });
}
