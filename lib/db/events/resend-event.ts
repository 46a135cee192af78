import { isId } from "#lib/base/ids.ts";
import { listPatterns } from "#lib/core/sending/event-type-patterns.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { runSourcesOfEvents } from "#lib/db/runs/run-sources.ts";
import type { Resend } from "#lib/schema/send/event-query.ts";
import type { EventRecord } from "./event-record.ts";

/**
 * The active subscriptions of the event's recipient that a resend goes to: the given ones,
 * regardless of their event types, or all that match the event now. With `onlyFailed`, only those
 * whose newest send of the event failed.
 */
export async function findResendTargets(
  tx: SqlStatements,
  accountId: string,
  event: EventRecord,
  { subscriptionIds, onlyFailed }: Resend,
): Promise<readonly string[]> {
  const isWanted =
    subscriptionIds === undefined
      ? event.isTest
        ? Prisma.sql`s.id = any (${[...(await findSent(tx, accountId, event.internalId))]}::uuid[])`
        : Prisma.sql`s.event_types && ${[...listPatterns(event.type)]}::text[]`
      : Prisma.sql`s.id = any (${[...subscriptionIds]}::uuid[])`;
  const failed = onlyFailed ? await findFailed(tx, accountId, event.internalId) : null;
  const targets = await tx.$queryRaw<{ id: string }[]>`
    select s.id from subscriptions s
    where s.account_id = ${accountId}::uuid and s.recipient is not distinct from ${event.recipient}::text
      and s.status = 'active' and s.deleted_at is null and ${isWanted}
      and (${failed === null} or s.id = any (${failed ?? []}::uuid[]))
    order by s.id`;
  return targets.map(({ id }) => id);
}

/** The status of each of these subscriptions that belongs to the event's recipient, by id. */
export async function findRecipientStatuses(
  tx: Transaction,
  accountId: string,
  { recipient }: EventRecord,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await tx.subscription.findMany({
    where: { id: { in: subscriptionIds.filter(isId) }, accountId, recipient, deletedAt: null },
    select: { id: true, status: true },
  });
  return new Map(found.map(({ id, status }) => [id, status]));
}

async function findSent(
  tx: SqlStatements,
  accountId: string,
  internalId: string,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select distinct r.target_id as id from ${runSourcesOfEvents([internalId])}
    where r.account_id = ${accountId}::uuid`;
  return rows.map(({ id }) => id);
}

/** The subscriptions whose newest send of the event failed. */
async function findFailed(
  tx: SqlStatements,
  accountId: string,
  internalId: string,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from (
      select distinct on (r.target_id) r.target_id as id, r.state
      from ${runSourcesOfEvents([internalId])}
      where r.account_id = ${accountId}::uuid
      order by r.target_id, r.id desc
    ) newest where state = 'failed'`;
  return rows.map(({ id }) => id);
}
