import { listPatterns } from "#lib/core/sender/event-type-patterns.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { runSourcesOfEvents } from "#lib/db/runs/run-sources.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";
import type { Resend } from "#lib/schema/sender/event-query.ts";
import type { EventRecord } from "./event-record.ts";
import { type EventScope, getEvent } from "./events.ts";
import { queueSends } from "./queue-sends.ts";

/**
 * Queues new sends of an event: to the active subscriptions that match it now, or to the given
 * ones, whatever event types they have. Never to another recipient's. With `onlyFailed`, to those
 * whose newest send of it failed.
 *
 * @returns the ids of the new runs
 */
export async function resendEvent(
  db: Database,
  accountId: string,
  eventId: string,
  { subscriptionIds, onlyFailed }: Resend,
  scope: EventScope = {},
): Promise<readonly string[]> {
  const event = await getEvent(db, accountId, eventId, scope);
  const runIds = await db.$transaction(async (tx) => {
    if (subscriptionIds !== undefined)
      await requireSubscriptions(tx, accountId, event, subscriptionIds);
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
    if (targets.length === 0) throw new AppError("conflict", explainNone(onlyFailed));
    return await queueSends(tx, {
      accountId,
      eventIds: [event.internalId],
      subscriptionIds: targets.map(({ id }) => id),
    });
  });
  notifyRunsDue(db);
  return runIds;
}

function explainNone(onlyFailed: boolean): string {
  return onlyFailed
    ? "No send of this event has failed, so there is nothing to send again."
    : "No active subscription gets events of this type and recipient.";
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

/** Active ones of the event's recipient. A send to another one would only wait. */
async function requireSubscriptions(
  tx: SqlStatements,
  accountId: string,
  { recipient }: EventRecord,
  subscriptionIds: readonly string[],
): Promise<void> {
  const found = await tx.$queryRaw<{ id: string; status: string }[]>`
    select id, status from subscriptions
    where id = any (${subscriptionIds.filter(isId)}::uuid[]) and account_id = ${accountId}::uuid
      and recipient is not distinct from ${recipient}::text and deleted_at is null`;
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  for (const [index, id] of subscriptionIds.entries()) {
    const status = statuses.get(id);
    const path = `subscriptionIds.${index}`;
    if (status === undefined)
      throw new AppError("not_found", "The event's recipient has no subscription with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (status !== "active")
      throw new AppError("conflict", `A ${status} subscription gets no events. Enable it first.`, {
        errors: [{ path, code: "conflict", message: `is ${status}` }],
      });
  }
}
