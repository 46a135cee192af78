import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { isAlive } from "./connections.ts";
import { isHeard } from "./listeners.ts";

type Taking = {
  readonly accountId: string;
  readonly listenerId: string;
  readonly connectionId: string;
  /** The maximum number of frames that a connection has without having acknowledged them. */
  readonly maxUnacknowledged: number;
};

/** The rows of the log that one transaction looks at. */
const maxScanned = 500;

/**
 * - `more`: there may be more for the connection.
 * - `full`: it has to acknowledge some first.
 * - `caught_up`: there is nothing more for it.
 */
export type Taken = "more" | "full" | "caught_up";

/**
 * Hands frames to a connection until it has `maxUnacknowledged`: first those of connections that are
 * gone, then the next ones of the log. Each gets the listener's next cursor. The listener's row is
 * locked, so no two connections get the same one.
 */
export async function takeFrames(db: Database, taking: Taking): Promise<Taken> {
  return await db.$transaction(async (tx) => {
    const listener = await lock(tx, taking);
    if (listener === null) return "full";
    const room = taking.maxUnacknowledged - listener.held;
    if (room <= 0) return "full";
    const over = await takeOver(tx, taking, listener.lastCursor, room);
    const next = await readNext(tx, taking, room - over);
    const last = next.scanned.at(-1);
    if (last !== undefined)
      await insertFrames(tx, taking, {
        afterCursor: listener.lastCursor + BigInt(over),
        readPosition: last.position,
        deliveryIds: next.scanned.filter((row) => row.isHeard).map((row) => row.deliveryId),
      });
    return next.taken;
  });
}

type Locked = { readonly lastCursor: bigint; readonly held: number };

/** Null: the listener or its connection has been removed. */
async function lock(
  tx: Transaction,
  { accountId, listenerId, connectionId }: Taking,
): Promise<Locked | null> {
  await tx.$executeRaw`
    select 1 from listeners where id = ${listenerId}::uuid and account_id = ${accountId}::uuid for update`;
  const [locked] = await tx.$queryRaw<Locked[]>`
    select me.last_cursor as "lastCursor", (
      select count(*)::int from listener_frames f where f.listener_id = me.id and f.connection_id = c.id
    ) as held
    from listeners me join listener_connections c on c.listener_id = me.id and c.id = ${connectionId}::uuid
    where me.id = ${listenerId}::uuid and me.account_id = ${accountId}::uuid`;
  return locked ?? null;
}

/** Takes over the frames of connections that are gone, in their order. Returns their number. */
async function takeOver(
  tx: Transaction,
  { accountId, listenerId, connectionId }: Taking,
  lastCursor: bigint,
  limit: number,
): Promise<number> {
  const taken = await tx.$executeRaw`
    with free as (
      select f.cursor, row_number() over (order by f.cursor) as place from listener_frames f
      where f.listener_id = ${listenerId}::uuid and f.account_id = ${accountId}::uuid and f.connection_id <> ${connectionId}::uuid
        and not exists (select from listener_connections c where c.id = f.connection_id and ${isAlive})
      order by f.cursor limit ${limit}::int
    )
    update listener_frames f set cursor = ${lastCursor}::bigint + free.place, connection_id = ${connectionId}::uuid
    from free where f.listener_id = ${listenerId}::uuid and f.account_id = ${accountId}::uuid and f.cursor = free.cursor`;
  if (taken > 0)
    await tx.$executeRaw`
      update listeners set last_cursor = last_cursor + ${taken}::int
      where id = ${listenerId}::uuid and account_id = ${accountId}::uuid`;
  return taken;
}

type LogRow = {
  readonly position: bigint;
  readonly deliveryId: string;
  readonly isHeard: boolean;
};

async function readNext(
  tx: Transaction,
  { accountId, listenerId }: Taking,
  room: number,
): Promise<{ readonly scanned: readonly LogRow[]; readonly taken: Taken }> {
  if (room <= 0) return { scanned: [], taken: "full" };
  const rows = await tx.$queryRaw<LogRow[]>`
    select l.position, l.delivery_id as "deliveryId", coalesce(${isHeard}, false) as "isHeard"
    from listeners me join listener_log l on l.account_id = me.account_id and l.position > me.read_position
    where me.id = ${listenerId}::uuid and me.account_id = ${accountId}::uuid
    order by l.position limit ${maxScanned}::int`;
  let heard = 0;
  const end = rows.findIndex((row) => row.isHeard && ++heard === room);
  if (end >= 0) return { scanned: rows.slice(0, end + 1), taken: "full" };
  return { scanned: rows, taken: rows.length === maxScanned ? "more" : "caught_up" };
}

type NewFrames = {
  readonly afterCursor: bigint;
  readonly readPosition: bigint;
  readonly deliveryIds: readonly string[];
};

async function insertFrames(
  tx: Transaction,
  { accountId, listenerId, connectionId }: Taking,
  { afterCursor, readPosition, deliveryIds }: NewFrames,
): Promise<void> {
  await tx.$executeRaw`
    with added as (
      insert into listener_frames (listener_id, cursor, account_id, delivery_id, connection_id)
      select ${listenerId}::uuid, ${afterCursor}::bigint + place, ${accountId}::uuid, delivery_id, ${connectionId}::uuid
      from unnest(${[...deliveryIds]}::uuid[]) with ordinality as heard(delivery_id, place)
    )
    update listeners set read_position = ${readPosition}::bigint, last_cursor = ${afterCursor + BigInt(deliveryIds.length)}::bigint
    where id = ${listenerId}::uuid and account_id = ${accountId}::uuid`;
}

/** A delivery as it was sent, and its place among the frames of its listener. */
export type FrameRecord = {
  readonly cursor: bigint;
  readonly deliveryId: string;
  readonly hookId: string;
  readonly eventType: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  /** The path behind the catch URL. */
  readonly path: string;
  readonly query: string;
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  /** In bytes, as stored. */
  readonly bodyBytes: number;
  /** Null: it is too large to be inline. */
  readonly body: Uint8Array | null;
};

type Reading = Omit<Taking, "maxUnacknowledged"> & {
  readonly afterCursor: bigint;
  readonly limit: number;
  /** The largest body that is inline. */
  readonly maxBodyBytes: number;
  /** Of all bodies. The first one may be larger. */
  readonly maxBytes: number;
};

/**
 * Reads the frames that a connection hasn't acknowledged, after a cursor. Removes those whose
 * deliveries have been deleted.
 */
export async function readFrames(db: Database, reading: Reading): Promise<readonly FrameRecord[]> {
  const { accountId, listenerId, connectionId, afterCursor, limit, maxBodyBytes, maxBytes } =
    reading;
  const found = await db.$queryRaw<{ cursor: bigint; deliveryId: string; bytes: number | null }[]>`
    select f.cursor, f.delivery_id as "deliveryId", d.body_size as bytes
    from listener_frames f left join deliveries d on d.id = f.delivery_id and d.account_id = ${accountId}::uuid
    where f.listener_id = ${listenerId}::uuid and f.account_id = ${accountId}::uuid and f.connection_id = ${connectionId}::uuid
      and f.cursor > ${afterCursor}::bigint
    order by f.cursor limit ${limit}::int`;
  const gone = found.filter(({ bytes }) => bytes === null).map(({ cursor }) => cursor);
  if (gone.length > 0)
    await db.listenerFrame.deleteMany({ where: { accountId, listenerId, cursor: { in: gone } } });
  const cursors: bigint[] = [];
  let total = 0;
  for (const { cursor, bytes } of found) {
    if (bytes === null) continue;
    total += bytes > maxBodyBytes ? 0 : bytes;
    if (cursors.length > 0 && total > maxBytes) break;
    cursors.push(cursor);
  }
  if (cursors.length === 0) return [];
  return await db.$queryRaw<FrameRecord[]>`
    select f.cursor, d.id as "deliveryId", d.hook_id as "hookId", d.event_type as "eventType", d.received_at as "receivedAt",
      d.method, d.path, d.query, d.headers::text as "headersJson", octet_length(d.body)::int as "bodyBytes",
      case when octet_length(d.body) <= ${maxBodyBytes}::int then d.body end as body
    from listener_frames f join deliveries d on d.id = f.delivery_id and d.account_id = ${accountId}::uuid
    where f.listener_id = ${listenerId}::uuid and f.account_id = ${accountId}::uuid and f.connection_id = ${connectionId}::uuid
      and f.cursor = any (${cursors}::bigint[])
    order by f.cursor`;
}
