import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";

/** A program that hears the accepted deliveries of hooks. */
export type ListenerRecord = {
  readonly id: string;
  /** The person it belongs to, or the token without one. */
  readonly ownerId: string;
  readonly ownerName: string;
  /** Null: it lasts as long as its connection. */
  readonly name: string | null;
  /** Empty: all hooks of the account. */
  readonly hookIds: readonly string[];
  /** Empty: all types. */
  readonly eventTypes: readonly string[];
  readonly lastCursor: bigint;
  readonly createdAt: Date;
  readonly seenAt: Date;
};

const select = {
  id: true,
  ownerId: true,
  ownerName: true,
  name: true,
  hookIds: true,
  eventTypes: true,
  lastCursor: true,
  createdAt: true,
  seenAt: true,
} as const;

export type NewListener = Pick<
  ListenerRecord,
  "id" | "ownerId" | "ownerName" | "name" | "hookIds" | "eventTypes"
> & { readonly accountId: string; readonly readPosition: bigint };

export async function insertListener(tx: Transaction, listener: NewListener): Promise<void> {
  const { hookIds, eventTypes, ...rest } = listener;
  await tx.listener.create({
    data: { ...rest, hookIds: [...hookIds], eventTypes: [...eventTypes] },
    select: { id: true },
  });
}

export async function countListeners(db: Database | Transaction, accountId: string) {
  return await db.listener.count({ where: { accountId } });
}

/**
 * Positions by the id of a hook, or `*` for all others: a listener hears only what comes after them.
 * As text, because JSON's numbers are smaller.
 */
export type HookPositions = Readonly<Record<string, string>>;

/** The listener of a person with this name, locked. Null: there is none. */
export async function lockNamedListener(
  tx: Transaction,
  accountId: string,
  { ownerId, name }: { readonly ownerId: string; readonly name: string },
): Promise<(ListenerRecord & { readonly hookPositions: HookPositions }) | null> {
  await tx.$executeRaw`
    select 1 from listeners where account_id = ${accountId}::uuid and owner_id = ${ownerId}::uuid and name = ${name} for update`;
  const found = await tx.listener.findFirst({
    where: { accountId, ownerId, name },
    select: { ...select, hookPositions: true },
  });
  return found && { ...found, hookPositions: found.hookPositions as HookPositions };
}

/** Changes what a listener hears. */
export async function changeListener(
  tx: Transaction,
  accountId: string,
  id: string,
  change: Partial<Pick<ListenerRecord, "hookIds" | "eventTypes" | "ownerName">> & {
    readonly hookPositions?: HookPositions;
  },
): Promise<void> {
  const { hookIds, eventTypes, ...rest } = change;
  await tx.listener.updateMany({
    where: { accountId, id },
    data: {
      ...rest,
      ...(hookIds && { hookIds: [...hookIds] }),
      ...(eventTypes && { eventTypes: [...eventTypes] }),
    },
  });
}

/** Passes over all that the listener hasn't got. */
export async function skipTo(
  tx: Transaction,
  accountId: string,
  id: string,
  position: bigint,
): Promise<void> {
  await tx.listenerFrame.deleteMany({ where: { accountId, listenerId: id } });
  await tx.listener.updateMany({ where: { accountId, id }, data: { readPosition: position } });
}

/** Throws `not_found`. */
export async function getListener(
  db: Database | Transaction,
  accountId: string,
  listenerId: string,
): Promise<ListenerRecord> {
  const where = { accountId, id: requireId("listener", listenerId) };
  const found = await db.listener.findFirst({ where, select });
  if (found === null) throw notFound("listener");
  return found;
}

type ListQuery = PageRequest & { readonly hookId?: string | undefined };

/** The account's listeners, newest first. With a hook: those that hear it. */
export async function listListeners(
  db: Database,
  accountId: string,
  { limit, cursor, hookId }: ListQuery,
): Promise<Page<ListenerRecord>> {
  const ofHook =
    hookId === undefined
      ? {}
      : { OR: [{ hookIds: { isEmpty: true } }, { hookIds: { has: hookId } }] };
  const rows = await db.listener.findMany({
    where: { accountId, id: { lt: decodeCursor(cursor) }, ...ofHook },
    select,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows, limit);
}

export async function deleteListener(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.listener.deleteMany({ where: { accountId, id } });
}

/** The number beyond which a backlog isn't counted. */
const maxCountedBacklog = 10_000;

export type Backlog = {
  /** Stored, and not handed to a connection yet. At most `maxCountedBacklog`. */
  readonly waiting: number;
  /** Handed to a connection, and not acknowledged yet. */
  readonly unacknowledged: number;
};

/** The part of the log that a listener hears. `l` is the log's row, and `me` the listener's. */
export const isHeard = Prisma.sql`(l.listener_id = me.id or (
  l.listener_id is null and (me.hook_ids = '{}' or l.hook_id = any (me.hook_ids))
  and l.position > coalesce(me.hook_positions ->> l.hook_id::text, me.hook_positions ->> '*', '0')::bigint
  and (me.event_types = '{}' or exists (
    select from deliveries d where d.id = l.delivery_id and d.event_type = any (me.event_types)
  ))))`;

export async function countBacklog(
  db: Database,
  accountId: string,
  listenerId: string,
): Promise<Backlog> {
  const [row] = await db.$queryRaw<{ waiting: number; unacknowledged: number }[]>`
    select (
        select count(*)::int from (
          select 1 from listener_log l
          where l.account_id = ${accountId}::uuid and l.position > me.read_position and ${isHeard}
          limit ${maxCountedBacklog}::int
        ) counted
      ) as waiting,
      (select count(*)::int from listener_frames f where f.listener_id = me.id and f.account_id = ${accountId}::uuid) as unacknowledged
    from listeners me where me.id = ${listenerId}::uuid and me.account_id = ${accountId}::uuid`;
  return row ?? { waiting: 0, unacknowledged: 0 };
}
