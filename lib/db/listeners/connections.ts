import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** One program that listens, on one machine. */
export type ConnectionRecord = {
  readonly id: string;
  /** The machine, as it calls itself. */
  readonly host: string;
  readonly isShared: boolean;
  /** True if what its program responds is what providers get. */
  readonly replies: boolean;
  readonly connectedAt: Date;
};

/** A program that hasn't said anything for two heartbeats is gone. */
const goneAfterSeconds = 30;

/** `c` is the connection's row. */
export const isAlive = Prisma.sql`c.seen_at > now() - ${goneAfterSeconds}::int * interval '1 second'`;

/** The milliseconds after which `c` is gone, if its program says nothing more. */
export const aliveForMs = Prisma.sql`(extract(epoch from c.seen_at - now()) + ${goneAfterSeconds}::int) * 1000`;

const replies = Prisma.sql`exists (select from replying_connections a where a.connection_id = c.id)`;

type Of = { readonly accountId: string; readonly listenerId: string };

/** The programs that are connected now, the first one first. */
export async function listAlive(
  db: Database | Transaction,
  { accountId, listenerId }: Of,
): Promise<readonly ConnectionRecord[]> {
  return await db.$queryRaw<ConnectionRecord[]>`
    select c.id, c.host, c.is_shared as "isShared", c.connected_at as "connectedAt", ${replies} as replies from listener_connections c
    where c.listener_id = ${listenerId}::uuid and c.account_id = ${accountId}::uuid and ${isAlive}
    order by c.connected_at, c.id`;
}

type NewConnection = Of & Pick<ConnectionRecord, "id" | "host" | "isShared">;

/** Forgets those that are gone, whose frames anyone gets, and adds one. */
export async function insertConnection(tx: Transaction, connection: NewConnection): Promise<void> {
  const { accountId, listenerId } = connection;
  await tx.$executeRaw`
    delete from listener_connections c
    where c.listener_id = ${listenerId}::uuid and c.account_id = ${accountId}::uuid and not (${isAlive})`;
  await tx.listenerConnection.create({ data: connection, select: { id: true } });
}

type OneConnection = Of & { readonly connectionId: string };

export async function findConnection(
  db: Database | Transaction,
  { accountId, listenerId, connectionId }: OneConnection,
): Promise<(ConnectionRecord & { readonly isAlive: boolean; readonly stream: bigint }) | null> {
  const [found] = await db.$queryRaw<(ConnectionRecord & { isAlive: boolean; stream: bigint })[]>`
    select c.id, c.host, c.is_shared as "isShared", c.connected_at as "connectedAt", ${replies} as replies, c.stream, coalesce(${isAlive}, false) as "isAlive"
    from listener_connections c
    where c.id = ${connectionId}::uuid and c.listener_id = ${listenerId}::uuid and c.account_id = ${accountId}::uuid`;
  return found ?? null;
}

/** Under load, a program says many times a second that it is there. */
const touchSeconds = 2;

/** Records that a program is still there, unless that was recorded just before. */
export async function touchConnection(
  db: Database | Transaction,
  { accountId, listenerId, connectionId }: OneConnection,
): Promise<void> {
  await db.$executeRaw`
    with touched as (
      update listener_connections set seen_at = now()
      where id = ${connectionId}::uuid and listener_id = ${listenerId}::uuid and account_id = ${accountId}::uuid
        and seen_at < now() - ${touchSeconds}::int * interval '1 second'
      returning listener_id
    )
    update listeners set seen_at = now() from touched where listeners.id = touched.listener_id and listeners.account_id = ${accountId}::uuid`;
}

/** Begins a stream, which ends the connection's older ones. Returns its number. */
export async function startStream(
  db: Database | Transaction,
  { accountId, listenerId, connectionId }: OneConnection,
): Promise<bigint> {
  const [started] = await db.$queryRaw<{ stream: bigint }[]>`
    update listener_connections set stream = stream + 1, seen_at = now()
    where id = ${connectionId}::uuid and listener_id = ${listenerId}::uuid and account_id = ${accountId}::uuid
    returning stream`;
  return started?.stream ?? 0n;
}

/** Frees what it hadn't acknowledged. False: there is no such connection. */
export async function deleteConnection(
  db: Database | Transaction,
  { accountId, listenerId, connectionId }: OneConnection,
): Promise<boolean> {
  const where = { id: connectionId, accountId, listenerId };
  return (await db.listenerConnection.deleteMany({ where })).count > 0;
}
