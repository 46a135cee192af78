import type { AllowList } from "#lib/core/address/allow-list.ts";
import { requireCallableOrigin } from "#lib/core/credential/check-credential.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/db/postgres/page.ts";
import { closeBreaker } from "#lib/db/queue/control/breakers.ts";
import { addTurn, removeControl } from "#lib/db/queue/control/turns.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { AppError, invalidField } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { DestinationInput, DestinationPatch } from "#lib/schema/destination.ts";
import { type Breaker, toBreaker } from "#lib/schema/field/breaker.ts";
import { type RateLimit, toRateLimit } from "#lib/schema/field/rate-limit.ts";
import { listUses, nameUses } from "./name-uses.ts";

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

const maxDestinations = 1_000;

/** Throws `invalid_request` for an origin that may not be called. */
export async function createDestination(
  db: Database,
  accountId: string,
  input: DestinationInput,
  allowList: AllowList,
): Promise<DestinationRecord> {
  requireCallableOrigin(input.origin, allowList);
  const id = newId();
  return await db.$transaction(async (tx) => {
    const count = await tx.destination.count({ where: { accountId } });
    if (count >= maxDestinations)
      throw new AppError("conflict", `An account has at most ${maxDestinations} destinations.`);
    await requireCredential(tx, accountId, input);
    await tx.destination.create({
      data: { id, accountId, ...toColumns(input) },
      select: { id: true },
    });
    await addTurn(tx, id);
    return await getDestination(tx, accountId, id);
  });
}

/** Throws `not_found`. */
export async function getDestination(
  db: Prisma.TransactionClient,
  accountId: string,
  destinationId: string,
): Promise<DestinationRecord> {
  const id = requireId("destination", destinationId);
  const [row] = await readRows(db, accountId, { id, before: null, limit: 1 });
  if (row === undefined) throw notFound("destination");
  return toRecord(row);
}

/** Newest first. */
export async function listDestinations(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<DestinationRecord>> {
  const before = decodeCursor(page.cursor);
  const rows = await readRows(db, accountId, { id: null, before, limit: page.limit + 1 });
  return toPage(rows.map(toRecord), page.limit);
}

/** Omitted fields stay. Throws `conflict` for a new origin while an action uses it. */
export async function updateDestination(
  db: Database,
  accountId: string,
  destinationId: string,
  patch: DestinationPatch,
  allowList: AllowList,
): Promise<DestinationRecord> {
  const id = requireId("destination", destinationId);
  const saved = await db.$transaction(async (tx) => {
    await lockDestination(tx, accountId, id);
    const before = await getDestination(tx, accountId, id);
    const after = { ...before, ...definedOf(patch) };
    if (after.origin !== before.origin) {
      requireCallableOrigin(after.origin, allowList);
      await requireUnused(tx, accountId, id, "Their URLs are at its origin, so it can't change.");
    }
    await requireCredential(tx, accountId, after);
    await tx.destination.update({
      where: { id },
      data: { ...toColumns(after), updatedAt: new Date() },
      select: { id: true },
    });
    if (patch.breaker !== undefined) await closeBreaker(tx, id);
    // Workers keep an action as long as its row is the same one.
    if (after.credentialId !== before.credentialId)
      await tx.$executeRaw`
        update actions set updated_at = updated_at
        where account_id = ${accountId}::uuid and deleted_at is null and destination_ids @> array[${id}::uuid]`;
    return await getDestination(tx, accountId, id);
  });
  notifyRunsDue(db);
  return saved;
}

/** Throws `conflict` while an action uses it. */
export async function deleteDestination(
  db: Database,
  accountId: string,
  destinationId: string,
): Promise<void> {
  const id = requireId("destination", destinationId);
  await db.$transaction(async (tx) => {
    await lockDestination(tx, accountId, id);
    await requireUnused(tx, accountId, id, "Choose another one there first.");
    await tx.destination.delete({ where: { id }, select: { id: true } });
    await removeControl(tx, id);
  });
}

/** An action that is being saved with it waits until the end of the transaction. */
async function lockDestination(tx: Prisma.TransactionClient, accountId: string, id: string) {
  const locked = await tx.$queryRaw<unknown[]>`
    select 1 from destinations where id = ${id}::uuid and account_id = ${accountId}::uuid for update`;
  if (locked.length === 0) throw notFound("destination");
}

async function requireUnused(
  tx: Prisma.TransactionClient,
  accountId: string,
  id: string,
  advice: string,
): Promise<void> {
  const uses = await listUses(tx, accountId, "destination", id);
  if (uses.length === 0) return;
  const names = nameUses(
    "action",
    uses.map(({ name }) => name),
  );
  throw new AppError("conflict", `This destination is used by ${names}. ${advice}`);
}

async function requireCredential(
  tx: Prisma.TransactionClient,
  accountId: string,
  { credentialId, origin }: { readonly credentialId: string | null; readonly origin: string },
): Promise<void> {
  if (credentialId === null) return;
  const [found] = await tx.$queryRaw<{ origin: string }[]>`
    select origin from credentials where id = ${credentialId}::uuid and account_id = ${accountId}::uuid for key share`;
  if (found === undefined)
    throw invalidField("credentialId", "there is no credential with this id", "not_found");
  if (found.origin !== origin)
    throw invalidField(
      "credentialId",
      `is for ${found.origin}, and the destination is ${origin}`,
      "conflict",
    );
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

function definedOf(patch: DestinationPatch): Partial<DestinationInput> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

type Row = Omit<DestinationRecord, "rateLimit" | "breaker"> & {
  readonly rate_count: number | null;
  readonly rate_seconds: number | null;
  readonly breaker_failures: number | null;
  readonly breaker_window_seconds: number | null;
  readonly breaker_open_seconds: number | null;
};

async function readRows(
  db: Prisma.TransactionClient,
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
