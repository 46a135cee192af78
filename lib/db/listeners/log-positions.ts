import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The rows of the inbox that get positions in one statement. Each has a batch's deliveries. */
const maxRows = 500;

/**
 * Gives positions to all that has been stored for an account, and returns the last one. The row of
 * its head stays locked until the transaction ends, so that positions become visible in their order:
 * who has read up to one has missed nothing below it. The order is that of the statements that stored
 * the deliveries, however they committed (docs/decisions/database/110).
 */
export async function giveOutPositions(tx: Transaction, accountId: string): Promise<bigint> {
  for (;;) {
    const { position, isLast } = await placeSome(tx, accountId);
    if (isLast) return position;
  }
}

type Placed = { readonly position: bigint; readonly isLast: boolean };

async function placeSome(tx: Transaction, accountId: string): Promise<Placed> {
  const head = await lockHead(tx, accountId);
  const [given] = await tx.$queryRaw<{ rows: number; count: number }[]>`
    with taken as (
      delete from listener_inbox where account_id = ${accountId}::uuid and id = any (array(
        select id from listener_inbox where account_id = ${accountId}::uuid order by id limit ${maxRows}
      ))
      returning id, hook_id, listener_id, delivery_ids
    ), placed as (
      insert into listener_log (account_id, position, hook_id, listener_id, delivery_id)
      select ${accountId}::uuid, ${head}::bigint + row_number() over (order by taken.id, item.place), hook_id, listener_id, item.delivery_id
      from taken cross join unnest(delivery_ids) with ordinality as item(delivery_id, place)
      returning position
    ), moved as (
      update listener_heads set position = position + (select count(*) from placed) where account_id = ${accountId}::uuid
    )
    select (select count(*)::int from taken) as rows, (select count(*)::int from placed) as count`;
  const { rows = 0, count = 0 } = given ?? {};
  return { position: head + BigInt(count), isLast: rows < maxRows };
}

async function lockHead(tx: Transaction, accountId: string): Promise<bigint> {
  const [head] = await tx.$queryRaw<{ position: bigint }[]>`
    insert into listener_heads (account_id) values (${accountId}::uuid)
    on conflict (account_id) do update set position = listener_heads.position
    returning position`;
  return head?.position ?? 0n;
}

/**
 * Gives out the positions of these accounts, and reads the last one of each. If nothing was stored,
 * that is one look at two small indexes, however many listen.
 */
export async function readHeads(
  db: Database,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.$queryRaw<{ accountId: string; position: bigint; hasNew: boolean }[]>`
    select account_id as "accountId", position,
      exists (select from listener_inbox i where i.account_id = h.account_id) as "hasNew"
    from listener_heads h where account_id = any (${[...accountIds]}::uuid[])`;
  const heads = new Map<string, bigint>();
  for (const { accountId, position, hasNew } of rows) {
    const read = hasNew ? await placeAll(db, accountId) : position;
    heads.set(accountId, read);
  }
  return heads;
}

/** In many transactions: a laptop may have been closed for a week. */
async function placeAll(db: Database, accountId: string): Promise<bigint> {
  for (;;) {
    const { position, isLast } = await db.$transaction((tx) => placeSome(tx, accountId));
    if (isLast) return position;
  }
}

type Addressed = {
  readonly accountId: string;
  readonly listenerId: string;
  readonly hookIds: readonly string[];
  readonly eventTypes: readonly string[];
  /** The smallest id of the time. */
  readonly fromId: string;
  readonly limit: number;
};

/**
 * Lets a listener hear what its hooks accepted since a time, and everything later once. What is
 * stored now, has a position, and is older than this call's snapshot is among the former: the
 * listener's position moves past it.
 *
 * @returns false, having done nothing, if there are more than `limit`
 */
export async function hearSince(tx: Transaction, wanted: Addressed): Promise<boolean> {
  const { accountId, listenerId, hookIds, eventTypes, fromId, limit } = wanted;
  const head = await lockHead(tx, accountId);
  // One statement, and so one snapshot: a delivery is either in the inbox that it empties and among
  // those that it finds, or in neither and heard later.
  const [found] = await tx.$queryRaw<{ count: number }[]>`
    with taken as (
      delete from listener_inbox where account_id = ${accountId}::uuid
      returning id, hook_id, listener_id, delivery_ids
    ), since as materialized (
      select d.id, d.hook_id from deliveries d join hooks h on h.id = d.hook_id and h.deleted_at is null
      where d.account_id = ${accountId}::uuid and d.status = 'accepted' and d.id >= ${fromId}::uuid
        and (${hookIds.length === 0} or d.hook_id = any (${[...hookIds]}::uuid[]))
        and (${eventTypes.length === 0} or d.event_type = any (${[...eventTypes]}::text[]))
      order by d.id limit ${limit + 1}
    ), placed as (
      insert into listener_log (account_id, position, hook_id, listener_id, delivery_id)
      select ${accountId}::uuid, ${head}::bigint + row_number() over (order by taken.id, item.place), hook_id, listener_id, item.delivery_id
      from taken cross join unnest(delivery_ids) with ordinality as item(delivery_id, place)
      returning position
    ), addressed as (
      insert into listener_log (account_id, position, hook_id, listener_id, delivery_id)
      select ${accountId}::uuid, ${head}::bigint + (select count(*) from placed) + row_number() over (order by id),
        hook_id, ${listenerId}::uuid, id
      from since
      returning position
    ), moved as (
      update listener_heads set position = position + (select count(*) from placed) + (select count(*) from addressed)
      where account_id = ${accountId}::uuid
    ), skipped as (
      update listeners set read_position = ${head}::bigint + (select count(*) from placed)
      where id = ${listenerId}::uuid and account_id = ${accountId}::uuid
    )
    select count(*)::int as count from since`;
  return (found?.count ?? 0) <= limit;
}

/**
 * Waits until no statement that stores deliveries is in progress: all later ones see the rows of
 * listeners that this transaction commits. Call it first: what gives out positions locks the
 * account's head before the inbox, too.
 */
export async function waitForStores(tx: Transaction, accountId: string): Promise<void> {
  await lockHead(tx, accountId);
  await tx.$executeRaw`set local lock_timeout = '4s'`;
  await tx.$executeRaw`lock table listener_inbox in share row exclusive mode`;
}

type HeardAgain = {
  readonly accountId: string;
  readonly deliveryIds: readonly string[];
  /** Null: all that listen to the deliveries' hooks. */
  readonly listenerId: string | null;
};

/** Lets listeners hear deliveries again. Returns the number of hooks with someone who listens. */
export async function hearAgain(
  tx: SqlStatements,
  { accountId, deliveryIds, listenerId }: HeardAgain,
): Promise<number> {
  return await tx.$executeRaw`
    insert into listener_inbox (account_id, hook_id, listener_id, delivery_ids)
    select d.account_id, d.hook_id, ${listenerId}::uuid, array_agg(d.id order by given.place)
    from unnest(${[...deliveryIds]}::uuid[]) with ordinality as given(id, place)
    join deliveries d on d.id = given.id and d.account_id = ${accountId}::uuid
    where exists (
      select from listeners l where l.account_id = ${accountId}::uuid
        and (l.id = ${listenerId}::uuid or (${listenerId}::uuid is null and (l.hook_ids = '{}' or d.hook_id = any (l.hook_ids))))
    )
    group by d.account_id, d.hook_id`;
}

/** Those of the deliveries that were accepted, or repeat one that was. */
export async function findReplayable(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = { accountId, id: { in: [...ids] }, status: { in: ["accepted", "duplicate"] } };
  const rows = await db.delivery.findMany({ where, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}
