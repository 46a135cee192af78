import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { addTurn, removeControl } from "#lib/db/queue/control/turns.ts";
import type { DestinationInput } from "#lib/schema/act/destination.ts";
import { type Breaker, toBreaker } from "#lib/schema/field/breaker.ts";
import { type RateLimit, toRateLimit } from "#lib/schema/field/rate-limit.ts";

/** A receiver that many actions share. */
export type DestinationRecord = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  readonly credentialId: string | null;
  readonly maxConcurrency: number | null;
  readonly rateLimit: RateLimit | null;
  readonly breaker: Breaker | null;
  readonly actionCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type NewDestination = DestinationInput & {
  readonly id: string;
  readonly accountId: string;
};

export async function insertDestination(
  tx: Transaction,
  { id, accountId, ...input }: NewDestination,
): Promise<void> {
  await tx.destination.create({
    data: { id, accountId, ...toColumns(input) },
    select: { id: true },
  });
  await addTurn(tx, id);
}

export async function countDestinations(
  db: Database | Transaction,
  accountId: string,
): Promise<number> {
  return await db.destination.count({ where: { accountId } });
}

/** Throws `not_found`. */
export async function getDestination(
  db: Database | Transaction,
  accountId: string,
  destinationId: string,
): Promise<DestinationRecord> {
  const id = requireId("destination", destinationId);
  const [row] = await readRows(db, accountId, { id, before: null, limit: 1 });
  if (row === undefined) throw notFound("destination");
  return toRecord(row);
}

/** Lists destinations, newest first. */
export async function listDestinations(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<DestinationRecord>> {
  const before = decodeCursor(page.cursor);
  const rows = await readRows(db, accountId, { id: null, before, limit: page.limit + 1 });
  return toPage(rows.map(toRecord), page.limit);
}

/**
 * Reads a destination and locks its row until the transaction ends. An action that is being saved
 * with it waits. Throws `not_found`.
 */
export async function lockDestination(
  tx: Transaction,
  accountId: string,
  destinationId: string,
): Promise<DestinationRecord> {
  const id = requireId("destination", destinationId);
  const locked = await tx.$queryRaw<unknown[]>`
    select 1 from destinations where id = ${id}::uuid and account_id = ${accountId}::uuid for update`;
  if (locked.length === 0) throw notFound("destination");
  return await getDestination(tx, accountId, id);
}

/** Replaces every field of a locked destination. */
export async function changeDestination(
  tx: Transaction,
  id: string,
  input: DestinationInput,
): Promise<void> {
  await tx.destination.update({
    where: { id },
    data: { ...toColumns(input), updatedAt: new Date() },
    select: { id: true },
  });
}

/**
 * Makes workers reload actions that use a destination. Workers cache an action until its row
 * changes.
 */
export async function touchActionsOf(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.$executeRaw`
    update actions set updated_at = updated_at
    where account_id = ${accountId}::uuid and deleted_at is null and destination_ids @> array[${id}::uuid]`;
}

/** Deletes a locked destination that nothing uses. */
export async function removeDestination(tx: Transaction, id: string): Promise<void> {
  await tx.destination.delete({ where: { id }, select: { id: true } });
  await removeControl(tx, id);
}

function toColumns(input: DestinationInput) {
  const { name, origin, credentialId, maxConcurrency, rateLimit, breaker } = input;
  return {
    name,
    origin,
    credentialId,
    maxConcurrency,
    rateCount: rateLimit?.count ?? null,
    rateSeconds: rateLimit?.perSeconds ?? null,
    breakerFailures: breaker?.failures ?? null,
    breakerWindowSeconds: breaker?.windowSeconds ?? null,
    breakerOpenSeconds: breaker?.openSeconds ?? null,
  };
}

type Row = Omit<DestinationRecord, "rateLimit" | "breaker"> & {
  readonly rate_count: number | null;
  readonly rate_seconds: number | null;
  readonly breaker_failures: number | null;
  readonly breaker_window_seconds: number | null;
  readonly breaker_open_seconds: number | null;
};

async function readRows(
  db: Database | Transaction,
  accountId: string,
  { id, before, limit }: { id: string | null; before: string | null; limit: number },
): Promise<Row[]> {
  return await db.$queryRaw<Row[]>`
    select d.id, d.name, d.origin, d.credential_id as "credentialId", d.max_concurrency as "maxConcurrency", d.rate_count, d.rate_seconds,
      d.breaker_failures, d.breaker_window_seconds, d.breaker_open_seconds, d.created_at as "createdAt", d.updated_at as "updatedAt",
      coalesce(used.count, 0)::int as "actionCount"
    from destinations d left join (
      select unnest(a.destination_ids) as id, count(*) as count from actions a join hooks h on h.id = a.hook_id
      where a.account_id = ${accountId}::uuid and a.deleted_at is null and h.deleted_at is null
      group by 1
    ) used on used.id = d.id
    where d.account_id = ${accountId}::uuid and (${id}::uuid is null or d.id = ${id}::uuid)
      and (${before}::uuid is null or d.id < ${before}::uuid)
    order by d.id desc limit ${limit}::int`;
}

function toRecord(row: Row): DestinationRecord {
  const { id, name, origin, credentialId, maxConcurrency, actionCount, createdAt, updatedAt } = row;
  const limits = { maxConcurrency, rateLimit: toRateLimit(row), breaker: toBreaker(row) };
  return { id, name, origin, credentialId, ...limits, actionCount, createdAt, updatedAt };
}
