import type { Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { isAlive } from "./connections.ts";

/** The response of the program behind a listener, for the provider of a delivery. */
export type ListenerReply = {
  /** Null: what it responded can't be passed on. */
  readonly status: number | null;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBase64: string;
};

type Replying = {
  readonly accountId: string;
  readonly connectionId: string;
  readonly hookIds: readonly string[];
};

/** A program that answers the provider of a hook. */
export type ReplyingProgram = {
  readonly hookName: string;
  readonly host: string;
  readonly ownerName: string;
  readonly connectedAt: Date;
};

/**
 * Lets a connection answer the providers of these hooks, unless another one does, which is returned.
 * One that is gone loses its place: its program is told when it comes back.
 */
export async function replyForHooks(
  tx: Transaction,
  { accountId, connectionId, hookIds }: Replying,
): Promise<ReplyingProgram | null> {
  const wanted = [...hookIds];
  await tx.$executeRaw`
    delete from listener_connections c using replying_connections a
    where a.connection_id = c.id and a.hook_id = any (${wanted}::uuid[]) and a.account_id = ${accountId}::uuid
      and c.account_id = ${accountId}::uuid and not (${isAlive})`;
  for (;;) {
    // The order keeps two programs from locking each other.
    await tx.$executeRaw`
      insert into replying_connections (hook_id, account_id, connection_id)
      select id, account_id, ${connectionId}::uuid from hooks
      where id = any (${wanted}::uuid[]) and account_id = ${accountId}::uuid order by id
      on conflict (hook_id) do nothing`;
    const held = await tx.$queryRaw<(ReplyingProgram & { readonly isOwn: boolean })[]>`
      select h.name as "hookName", c.host, me.owner_name as "ownerName", c.connected_at as "connectedAt",
        c.id = ${connectionId}::uuid as "isOwn"
      from replying_connections a join hooks h on h.id = a.hook_id join listener_connections c on c.id = a.connection_id
      join listeners me on me.id = c.listener_id
      where a.hook_id = any (${wanted}::uuid[]) and a.account_id = ${accountId}::uuid
      order by h.name`;
    const other = held.find(({ isOwn }) => !isOwn);
    if (other !== undefined) return other;
    // Another one may have left its place in between.
    if (held.length >= wanted.length) return null;
  }
}

type FoundReply = {
  readonly deliveryId: string;
  /** Null: there is none yet, and no program replies for the hook any more. */
  readonly reply: ListenerReply | null;
};

/** The latest replies of programs to deliveries. Those that a program still has are missing. */
export async function findListenerReplies(
  db: SqlStatements,
  deliveryIds: readonly string[],
): Promise<readonly FoundReply[]> {
  return await db.$queryRaw<FoundReply[]>`
    select * from (
      select wanted.id as "deliveryId", (
        select r.reply from listener_responses r where r.delivery_id = wanted.id and r.reply is not null
        order by r.responded_at desc limit 1
      ) as reply, exists (
        select from deliveries d join replying_connections p on p.hook_id = d.hook_id
        join listener_connections c on c.id = p.connection_id
        where d.id = wanted.id and ${isAlive}
      ) as "isReplied"
      from unnest(${[...deliveryIds]}::uuid[]) as wanted(id)
    ) found where reply is not null or not "isReplied"`;
}

type Asked = {
  readonly accountId: string;
  readonly deliveryId: string;
  readonly listenerId: string;
};

/**
 * Hands a delivery to the listener again, because the provider repeats what its program refused.
 * False: it has done so already, and the program hasn't responded yet.
 */
export async function askAgain(
  db: SqlStatements,
  { accountId, deliveryId, listenerId }: Asked,
): Promise<boolean> {
  const asked = await db.$executeRaw`
    with refused as (
      update listener_responses set reply = null
      where delivery_id = ${deliveryId}::uuid and account_id = ${accountId}::uuid and reply is not null
      returning delivery_id
    )
    insert into listener_inbox (account_id, hook_id, listener_id, delivery_ids)
    select d.account_id, d.hook_id, ${listenerId}::uuid, array[d.id] from deliveries d
    where d.id = ${deliveryId}::uuid and d.account_id = ${accountId}::uuid and exists (select from refused)`;
  return asked > 0;
}
