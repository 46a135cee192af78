/** Searches for missing events, as their owner sees them. */

import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import type { Gap } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { GapStatus } from "#lib/schema/receive/gap.ts";

export type GapRecord = Pick<
  Gap,
  | "id"
  | "hookId"
  | "credentialId"
  | "provider"
  | "webhook"
  | "askedFrom"
  | "fromAt"
  | "toAt"
  | "eventCount"
  | "missingCount"
  | "takenCount"
  | "repeatedCount"
  | "refusedCount"
  | "reason"
  | "jobId"
  | "askedBy"
  | "takenBy"
  | "createdAt"
  | "finishedAt"
> & { readonly status: GapStatus };

type NewGap = Pick<
  Gap,
  "id" | "accountId" | "hookId" | "provider" | "askedFrom" | "fromAt" | "toAt" | "askedBy"
> & { readonly credentialId: string; readonly webhook: string | null };

/** Stores a search. False, and nothing is stored, if the hook has one that hasn't ended. */
export async function insertGap(tx: Transaction, gap: NewGap): Promise<boolean> {
  // Searches are added one at a time within an account, so that none is counted too late.
  await lockAccount(tx, gap.accountId);
  const { hookId, accountId } = gap;
  if ((await tx.gap.count({ where: { hookId, accountId, finishedAt: null } })) > 0) return false;
  await tx.gap.create({ data: gap, select: { id: true } });
  return true;
}

/** Throws `not_found`. */
export async function getGap(
  db: Database | Transaction,
  accountId: string,
  { hookId, gapId }: { readonly hookId: string; readonly gapId: string },
): Promise<GapRecord> {
  const id = requireId("search", gapId);
  const found = await db.gap.findFirst({
    where: { id, accountId, hookId: requireId("search", hookId), hook: { deletedAt: null } },
  });
  if (found === null) throw notFound("search");
  return toRecord(found);
}

/** Lists the searches of a hook, newest first. */
export async function listGaps(
  db: Database,
  accountId: string,
  hookId: string,
  page: PageRequest,
): Promise<Page<GapRecord>> {
  const rows = await db.gap.findMany({
    where: { accountId, hookId, id: { lt: decodeCursor(page.cursor) } },
    orderBy: { id: "desc" },
    take: page.limit + 1,
  });
  const { items, nextCursor } = toPage(rows, page.limit);
  return { items: items.map(toRecord), nextCursor };
}

/** The newest search of a hook with events that can still be taken in. Null: there is none. */
export async function findMissingGap(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<string | null> {
  const found = await db.gap.findFirst({
    where: {
      ...{ accountId, hookId, missingCount: { gt: 0 }, finishedAt: { not: null } },
      events: { some: { state: "missing", eventType: { not: null } } },
    },
    orderBy: { id: "desc" },
    select: { id: true },
  });
  return found?.id ?? null;
}

/** The credential that the hook's last search used. Null: there is none, or it is gone. */
export async function findLastCredential(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<string | null> {
  const last = await db.gap.findFirst({
    where: { accountId, hookId, credentialId: { not: null } },
    orderBy: { id: "desc" },
    select: { credentialId: true },
  });
  return last?.credentialId ?? null;
}

/** The webhook that the hook's last search was about. Null: there is none. */
export async function findLastWebhook(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<string | null> {
  const last = await db.gap.findFirst({
    where: { accountId, hookId, webhook: { not: null } },
    orderBy: { id: "desc" },
    select: { webhook: true },
  });
  return last?.webhook ?? null;
}

/** How many of those that were asked for again have come since. */
export async function countCome(db: Database, gapId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from gap_events e join dedupe_keys known on known.key = e.key
    where e.gap_id = ${gapId}::uuid and e.state = 'asked'`;
  return row?.count ?? 0;
}

/** The events of one type that the provider listed. */
export type GapType = {
  readonly eventType: string | null;
  readonly eventCount: number;
  readonly missingCount: number;
};

/** Counts the events of a search by their type, the most missing first. */
export async function countGapTypes(db: Database, gapId: string): Promise<readonly GapType[]> {
  return await db.$queryRaw<GapType[]>`
    select event_type as "eventType", count(*)::int as "eventCount",
      (count(*) filter (where state = 'missing'))::int as "missingCount"
    from gap_events where gap_id = ${gapId}::uuid
    group by event_type
    order by count(*) filter (where state = 'missing') desc, event_type limit 500`;
}

/** The events that wait to be taken in. */
export async function countMissing(
  db: Database,
  gapId: string,
  eventTypes: readonly string[] | null,
): Promise<number> {
  return await db.gapEvent.count({
    where: {
      gapId,
      state: "missing",
      ...(eventTypes === null ? {} : { eventType: { in: [...eventTypes] } }),
    },
  });
}

/** Ends a search. False: it has ended already. */
export async function markGapCancelled(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    update gaps set status = 'cancelled', finished_at = now(), lease_id = null, leased_until = null
    where id = ${id}::uuid and account_id = ${accountId}::uuid and finished_at is null`;
  return count > 0;
}

/** Names the job that takes in what is missing, and who asked for it. */
export async function setTakeIn(
  db: Database,
  accountId: string,
  id: string,
  { jobId, takenBy }: { readonly jobId: string; readonly takenBy: string },
): Promise<void> {
  await db.gap.updateMany({ where: { id, accountId }, data: { jobId, takenBy } });
}

/** Who had a delivery fetched, and from where. */
export type FetchedFrom = {
  readonly gapId: string;
  readonly provider: string;
  readonly takenBy: string | null;
  /** By the provider's clock. */
  readonly occurredAt: Date;
};

/** Null: it arrived by itself, or its search is gone. */
export async function findFetchedFrom(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<FetchedFrom | null> {
  const [row] = await db.$queryRaw<FetchedFrom[]>`
    select g.id as "gapId", g.provider, g.taken_by as "takenBy", e.occurred_at as "occurredAt"
    from gap_events e join gaps g on g.id = e.gap_id
    where e.delivery_id = ${deliveryId}::uuid and e.state = 'taken' and g.account_id = ${accountId}::uuid limit 1`;
  return row ?? null;
}

function toRecord(row: Gap): GapRecord {
  const { id, hookId, credentialId, provider, webhook, askedFrom, fromAt, toAt, status } = row;
  const { eventCount, missingCount, takenCount, repeatedCount, refusedCount } = row;
  const { reason, jobId, askedBy, takenBy, createdAt, finishedAt } = row;
  const asked = { id, hookId, credentialId, provider, webhook, askedFrom, fromAt, toAt };
  const counts = { eventCount, missingCount, takenCount, repeatedCount, refusedCount };
  const people = { reason, jobId, askedBy, takenBy, createdAt, finishedAt };
  return { ...asked, ...counts, ...people, status: status as GapStatus };
}
