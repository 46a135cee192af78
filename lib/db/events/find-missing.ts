import { idFloor } from "#lib/core/api/page.ts";
import { listPatterns } from "#lib/core/sending/event-type-patterns.ts";
import type { LockedJob } from "#lib/db/jobs/lock-bulk-job.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { MissingFilter } from "#lib/db/runs/bulk-jobs.ts";
import { runIdRange } from "#lib/db/runs/run-sources.ts";
import { queueSends } from "./queue-sends.ts";

export type MissingTarget = {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly recipient: string | null;
  readonly eventTypes: readonly string[];
};

/** Events, and the last one that was checked. Null: there are no more. */
type FoundMissing = { readonly missing: readonly string[]; readonly last: string | null };

/** The new sends, and the last event that was checked. Null: there are no more. */
type QueuedMissing = { readonly runIds: readonly string[]; readonly last: string | null };

/** The number of events that are checked at once, also for a job that may send few of them. */
const maxChecked = 500;

/**
 * True while a transaction that began before the job was created has written something and not ended. It may be about
 * to store an event, and have seen the subscription as it was before it was enabled: such an event is neither sent nor
 * found yet. Storing takes two minutes at most, so a session that hangs doesn't hold the job for longer than three.
 */
export async function hasOlderWriter(tx: SqlStatements, jobId: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select 1 from bulk_jobs j join pg_stat_activity a on a.xact_start < j.created_at
    where j.id = ${jobId}::uuid and j.created_at > now() - interval '3 minutes'
      and a.datname = current_database() and a.backend_xid is not null
    limit 1`;
  return found.length > 0;
}

/**
 * Queues the next sends of a job. Nothing is sent to a subscription that has been deleted or
 * disabled. Its row is locked, so that two jobs of it don't both find an event missing.
 *
 * @param maxRuns the maximum number of sends to queue
 */
export async function queueMissing(
  tx: SqlStatements,
  { accountId, filter, seenBefore }: LockedJob<MissingFilter>,
  maxRuns: number,
): Promise<QueuedMissing> {
  const { subscriptionId } = filter;
  const [target] = await tx.$queryRaw<Pick<MissingTarget, "recipient" | "eventTypes">[]>`
    select recipient, event_types as "eventTypes" from subscriptions
    where id = ${subscriptionId}::uuid and account_id = ${accountId}::uuid and status = 'active' and deleted_at is null
    for no key update`;
  if (target === undefined) return { runIds: [], last: null };
  const after = [idFloor(filter.from), seenBefore].toSorted().at(-1) ?? seenBefore;
  // It has no end: later events were sent when they were published. Events' ids are from other clocks than the job's.
  const span = { after, limit: maxChecked };
  const found = await findMissing(tx, { ...target, accountId, subscriptionId }, span);
  const eventIds = found.missing.slice(0, maxRuns);
  const sends = { accountId, eventIds, subscriptionIds: [subscriptionId] };
  const runIds = eventIds.length === 0 ? [] : await queueSends(tx, sends);
  const isCut = eventIds.length < found.missing.length;
  return { runIds, last: isCut ? (eventIds.at(-1) ?? null) : found.last };
}

type Span = { readonly after: string; readonly limit: number };

/**
 * Finds the next events of the target's recipient, oldest first, that match and have no send to it.
 */
export async function findMissing(
  tx: SqlStatements,
  { accountId, subscriptionId, recipient, eventTypes }: MissingTarget,
  { after, limit }: Span,
): Promise<FoundMissing> {
  const scanned = await tx.$queryRaw<{ id: string; type: string; recipient: string | null }[]>`
    select id, type, recipient from events
    where account_id = ${accountId}::uuid and id > ${after}::uuid
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
