import { listPatterns } from "#lib/core/sender/event-type-patterns.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { firstId, idFloor } from "#lib/db/postgres/page.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type BulkJobRecord,
  insertBulkJob,
  type MissingFilter,
  maxCounted,
} from "#lib/db/runs/bulk-jobs.ts";
import { runIdRange } from "#lib/db/runs/run-sources.ts";
import type { SubscriptionScope } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { queueSends } from "./queue-sends.ts";

/** Events scanned in one transaction. */
const batchEvents = 500;

type Target = {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly recipient: string | null;
  readonly eventTypes: readonly string[];
};

/**
 * Sends a subscription, in the background and oldest first, the events since a time that match it
 * and that it was never sent, such as those that were published while it was disabled. Throws
 * `conflict` if it isn't active or nothing is missing.
 */
export async function createMissingJob(
  db: Database,
  accountId: string,
  subscriptionId: string,
  sinceMs: number,
  scope: SubscriptionScope = {},
): Promise<BulkJobRecord> {
  const { id, status, recipient, eventTypes } = await getSubscription(
    db,
    accountId,
    subscriptionId,
    scope,
  );
  if (status !== "active")
    throw new AppError(
      "conflict",
      `This subscription is ${status}, so it gets no events. Enable it first.`,
    );
  const total = await countMissing(
    db,
    { accountId, subscriptionId: id, recipient, eventTypes },
    sinceMs,
  );
  if (total === 0)
    throw new AppError(
      "conflict",
      "No event is missing. Every one since then that matches was sent.",
    );
  const filter: MissingFilter = { subscriptionId: id, from: sinceMs };
  return await insertBulkJob(db, accountId, {
    id: newId(),
    kind: "replay_missing",
    filter,
    total,
    seenBefore: firstId,
  });
}

/** Null: there are more events to look at than are counted. */
async function countMissing(db: Database, target: Target, sinceMs: number): Promise<number | null> {
  let after = idFloor(sinceMs);
  let total = 0;
  for (let scanned = 0; scanned < maxCounted; scanned += batchCounted) {
    const found = await findMissing(db, target, { after, end: null, limit: batchCounted });
    total += found.missing.length;
    if (found.last === null) return total;
    after = found.last;
  }
  return null;
}

const batchCounted = 5_000;

type Job = {
  readonly id: string;
  readonly account_id: string;
  readonly filter: MissingFilter;
  readonly seen_before: string;
  readonly created_ms: number;
};

/**
 * Works on the next batch of one job. Its sends and its progress are written in one transaction.
 *
 * @returns whether there was a job
 */
export async function workMissingJobs(db: SqlDatabase): Promise<boolean> {
  const queued = await db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<Job[]>`
      select id, account_id, filter, seen_before, date_part('epoch', created_at) * 1000 as created_ms from bulk_jobs
      where finished_at is null and kind = 'replay_missing' order by random() limit 1 for update skip locked`;
    return job === undefined ? null : await sendBatch(tx, job);
  });
  if (queued === null) return false;
  if (queued > 0) notifyRunsDue(db);
  return true;
}

async function sendBatch(tx: SqlStatements, job: Job): Promise<number> {
  const { id, account_id: accountId, filter, seen_before: seenBefore } = job;
  const { subscriptionId } = filter;
  const [target] = await tx.$queryRaw<Pick<Target, "recipient" | "eventTypes">[]>`
    select recipient, event_types as "eventTypes" from subscriptions
    where id = ${subscriptionId}::uuid and account_id = ${accountId}::uuid and status = 'active' and deleted_at is null`;
  const span = {
    after: [idFloor(filter.from), seenBefore].toSorted().at(-1) ?? seenBefore,
    // Later ones were sent when they were published.
    end: idFloor(job.created_ms + 1),
    limit: batchEvents,
  };
  const found =
    target === undefined
      ? { missing: [], last: null }
      : await findMissing(tx, { ...target, accountId, subscriptionId }, span);
  if (found.missing.length > 0)
    await queueSends(tx, { accountId, eventIds: found.missing, subscriptionIds: [subscriptionId] });
  const isAtEnd = found.last === null;
  await tx.$executeRaw`
    update bulk_jobs set changed_count = changed_count + ${found.missing.length}::int,
      seen_before = ${found.last ?? seenBefore}::uuid,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${id}::uuid`;
  return found.missing.length;
}

type Span = { readonly after: string; readonly end: string | null; readonly limit: number };

/**
 * The next events of the target's recipient, oldest first: those that match and have no send to it,
 * and the last one that was looked at. Null: there are no more.
 */
async function findMissing(
  tx: SqlStatements,
  { accountId, subscriptionId, recipient, eventTypes }: Target,
  { after, end, limit }: Span,
): Promise<{ readonly missing: readonly string[]; readonly last: string | null }> {
  const scanned = await tx.$queryRaw<{ id: string; type: string; recipient: string | null }[]>`
    select id, type, recipient from events
    where account_id = ${accountId}::uuid and id > ${after}::uuid and (${end}::uuid is null or id < ${end}::uuid)
      and (${recipient}::text is null or recipient = ${recipient}::text) and public_id <> 'test_' || id::text
    order by id limit ${limit}::int`;
  const wanted = new Set(eventTypes);
  const ids = scanned
    .filter((event) => event.recipient === recipient)
    .filter(({ type }) => listPatterns(type).some((pattern) => wanted.has(pattern)))
    .map(({ id }) => id);
  const ranges = ids.map(runIdRange);
  const missing =
    ids.length === 0
      ? []
      : await tx.$queryRaw<{ id: string }[]>`
          select wanted.id
          from unnest(${ids}::uuid[], ${ranges.map(({ first }) => first)}::uuid[], ${ranges.map(({ last }) => last)}::uuid[])
            as wanted(id, first, last)
          where not exists (
              select from queue where id >= wanted.first and id <= wanted.last and target_id = ${subscriptionId}::uuid
            ) and not exists (
              select from runs where id >= wanted.first and id <= wanted.last and target_id = ${subscriptionId}::uuid
            ) and not exists (
              select from queue where event_id = wanted.id and has_own_id and target_id = ${subscriptionId}::uuid
            ) and not exists (
              select from runs where event_id = wanted.id and has_own_id and target_id = ${subscriptionId}::uuid
            )
          order by wanted.id`;
  return {
    missing: missing.map(({ id }) => id),
    last: scanned.length < limit ? null : (scanned.at(-1)?.id ?? null),
  };
}
