import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { roles } from "#lib/schema/account/role.ts";

/** A subscription of an AI assistant's callback. */
export type EventCallback = {
  readonly subscriptionId: string;
  readonly secretHash: Uint8Array;
  readonly status: string;
  readonly statusReason: string | null;
  /** It gets nothing any more, and is about to be swept. */
  readonly isEnded: boolean;
};

type Owner = { readonly accountId: string; readonly callbackId: string };

/** The callback of this name, if its subscription isn't deleted. Null: none. */
export async function findCallback(
  db: Database | Transaction,
  { accountId, callbackId }: Owner,
): Promise<EventCallback | null> {
  const row = await db.eventCallback.findFirst({
    where: { accountId, callbackId, subscription: { deletedAt: null } },
    select: {
      subscriptionId: true,
      secretHash: true,
      subscription: { select: { status: true, statusReason: true } },
    },
  });
  if (row === null) return null;
  const { subscription, ...callback } = row;
  const ended = await findEndedCallbacks(db, [row.subscriptionId]);
  return { ...callback, ...subscription, isEnded: ended.has(row.subscriptionId) };
}

/** True if an AI assistant made the subscription for a callback of its own. */
export async function isCallback(
  tx: Transaction,
  accountId: string,
  subscriptionId: string,
): Promise<boolean> {
  return (await tx.eventCallback.count({ where: { accountId, subscriptionId } })) > 0;
}

/** True if another callback of this token has the URL, which has answered the challenge then. */
export async function hasVerifiedUrl(
  db: Database,
  accountId: string,
  { tokenId, receiverUrl }: { readonly tokenId: string; readonly receiverUrl: string },
): Promise<boolean> {
  const found = await db.eventCallback.findFirst({
    where: { accountId, tokenId, subscription: { receiverUrl, status: "active", deletedAt: null } },
    select: { subscriptionId: true },
  });
  return found !== null;
}

export async function countCallbacks(tx: Transaction, accountId: string): Promise<number> {
  return await tx.eventCallback.count({ where: { accountId, subscription: { deletedAt: null } } });
}

type NewCallback = Owner & {
  readonly subscriptionId: string;
  readonly tokenId: string;
  readonly secretHash: Uint8Array;
  readonly seconds: number;
};

/** Makes a subscription a callback until its end, which is returned. One of a deleted subscription goes. */
export async function insertCallback(
  tx: Transaction,
  { accountId, callbackId, subscriptionId, tokenId, secretHash, seconds }: NewCallback,
): Promise<Date> {
  await tx.eventCallback.deleteMany({ where: { accountId, callbackId } });
  const [row] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    insert into event_callbacks (subscription_id, account_id, callback_id, token_id, secret_hash, expires_at)
    values (${subscriptionId}::uuid, ${accountId}::uuid, ${callbackId}, ${tokenId}::uuid, ${secretHash}::bytea,
      now() + make_interval(secs => ${seconds}::int))
    returning expires_at as "expiresAt"`;
  if (row === undefined) throw new Error("Nothing was inserted");
  return row.expiresAt;
}

/** Renews a callback of a subscription that is locked, for the token that asks for it. Returns its end. */
export async function renewCallback(
  tx: Transaction,
  { accountId, callbackId, tokenId, secretHash, seconds }: Omit<NewCallback, "subscriptionId">,
): Promise<Date> {
  const [row] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    update event_callbacks set token_id = ${tokenId}::uuid, secret_hash = ${secretHash}::bytea,
      expires_at = now() + make_interval(secs => ${seconds}::int)
    where account_id = ${accountId}::uuid and callback_id = ${callbackId}
    returning expires_at as "expiresAt"`;
  if (row === undefined) throw new Error("The callback is gone");
  return row.expiresAt;
}

export async function deleteCallback(
  tx: Transaction,
  { accountId, callbackId }: Owner,
): Promise<void> {
  await tx.eventCallback.deleteMany({ where: { accountId, callbackId } });
}

const mayHave = roles.filter((role) => isAllowed(role, "callbacks:write"));

/** Condition on `event_callbacks c`: its time is over, or its token has ended or lost what it needs. */
const isEnded = Prisma.sql`(c.expires_at <= now() or not exists (
    select from api_tokens t left join memberships m on m.account_id = t.account_id and m.user_id = t.created_by
    where t.id = c.token_id and t.account_id = c.account_id and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now()) and t.scopes @> array['callbacks:write', 'events:read']
      and (t.created_by is null or m.role = any (${mayHave}::text[]))
  ))`;

/** Those of these subscriptions that are callbacks which get nothing any more. */
export async function findEndedCallbacks(
  db: SqlStatements,
  subscriptionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (subscriptionIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    select c.subscription_id as id from event_callbacks c
    where c.subscription_id = any (${[...subscriptionIds]}::uuid[]) and ${isEnded}`;
  return new Set(rows.map(({ id }) => id));
}

/** Those of these events that have a send to the subscription, open or ended. */
export async function findSentEvents(
  tx: SqlStatements,
  accountId: string,
  {
    subscriptionId,
    eventIds,
  }: { readonly subscriptionId: string; readonly eventIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select event_id as id from queue
    where account_id = ${accountId}::uuid and target_id = ${subscriptionId}::uuid
      and event_id = any (${[...eventIds]}::uuid[])
    union all
    select event_id from runs
    where account_id = ${accountId}::uuid and target_id = ${subscriptionId}::uuid
      and event_id = any (${[...eventIds]}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** True if a send to the subscription is open. */
export async function hasOpenSends(
  db: SqlStatements,
  accountId: string,
  subscriptionId: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from queue
    where account_id = ${accountId}::uuid and target_id = ${subscriptionId}::uuid limit 1`;
  return rows.length > 0;
}

/** Deletes the subscriptions of callbacks that have ended. Returns their number. */
export async function sweepCallbacks(db: SqlStatements): Promise<number> {
  return await db.$executeRaw`
    with ended as materialized (
      select c.subscription_id as id from event_callbacks c where ${isEnded} limit 1000
    ), callbacks as (
      delete from event_callbacks where subscription_id in (select id from ended)
    ), patterns as (
      delete from subscription_patterns where subscription_id in (select id from ended)
    ), secrets as (
      delete from subscription_secrets where subscription_id in (select id from ended)
    ), health as (
      delete from subscription_health where subscription_id in (select id from ended)
    ), told as (
      delete from notices where subscription_id in (select id from ended)
    )
    update subscriptions set deleted_at = now(), headers_ciphertext = null, updated_at = now()
    where id in (select id from ended) and deleted_at is null`;
}
