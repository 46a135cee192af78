import { isId } from "#lib/base/ids.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { SubscriptionSecretSummary } from "./subscription-record.ts";

/** A secret as it is stored. */
export type NewSecretRow = {
  readonly id: string;
  readonly accountId: string;
  readonly kind: SubscriptionSecretSummary["kind"];
  readonly ciphertext: Uint8Array;
  /** The public key of a key pair. */
  readonly publicKey?: string;
  readonly hint: string;
};

/** Adds a secret. The caller has checked that the subscription belongs to the account. */
export async function addSecret(
  tx: Transaction,
  subscriptionId: string,
  secret: NewSecretRow,
): Promise<void> {
  const ciphertext = new Uint8Array(secret.ciphertext);
  await tx.subscriptionSecret.create({
    data: { ...secret, subscriptionId, ciphertext },
    select: { id: true },
  });
}

export async function removeKeyPairs(tx: Transaction, subscriptionId: string): Promise<void> {
  await tx.subscriptionSecret.deleteMany({ where: { subscriptionId, kind: "ed25519" } });
}

export async function countSecrets(tx: Transaction, subscriptionId: string): Promise<number> {
  return await tx.subscriptionSecret.count({ where: { subscriptionId, kind: "hmac" } });
}

/** Ends secrets, by the database's clock. An earlier expiry stays. 0: they end now. */
export async function expireSecrets(
  tx: Transaction,
  subscriptionId: string,
  seconds: number,
): Promise<void> {
  // The current time wouldn't work as the expiry: the column rounds to milliseconds, so it could
  // still be in the future.
  if (seconds > 0) {
    await tx.$executeRaw`
      update subscription_secrets set expires_at = least(expires_at, now() + ${seconds}::int * interval '1 second')
      where subscription_id = ${subscriptionId}::uuid and kind = 'hmac'`;
  }
  await tx.$executeRaw`
    delete from subscription_secrets
    where subscription_id = ${subscriptionId}::uuid and kind = 'hmac' and (${seconds === 0} or expires_at <= now())`;
}

/** Reads the secrets that sign now, newest first, by subscription. */
export async function readSecrets(
  db: SqlStatements,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SubscriptionSecretSummary[]>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(SubscriptionSecretSummary & { subscriptionId: string })[]>`
    select subscription_id as "subscriptionId", id, kind, hint, public_key as "publicKey", created_at as "createdAt",
      expires_at as "expiresAt"
    from subscription_secrets
    where subscription_id = any (${[...subscriptionIds]}::uuid[]) and (expires_at is null or expires_at > now())
    order by id desc`;
  const found = new Map<string, SubscriptionSecretSummary[]>();
  for (const { subscriptionId, ...secret } of rows) {
    const others = found.get(subscriptionId);
    if (others === undefined) found.set(subscriptionId, [secret]);
    else others.push(secret);
  }
  return found;
}

type SealedSigningSecret = {
  readonly id: string;
  readonly subscriptionId: string;
  readonly ciphertext: Uint8Array;
};

/** The newest secret of each subscription that doesn't expire, sealed. Key pairs aren't among them. */
export async function readSigningSecrets(
  db: Database | Transaction,
  accountId: string,
): Promise<ReadonlyMap<string, SealedSigningSecret>> {
  const rows = await db.subscriptionSecret.findMany({
    where: { accountId, kind: "hmac", expiresAt: null, subscription: { deletedAt: null } },
    orderBy: { id: "asc" },
    select: { id: true, subscriptionId: true, ciphertext: true },
  });
  return new Map(rows.map((row) => [row.subscriptionId, row]));
}

type PublicKey = { readonly id: string; readonly publicKey: string };

/**
 * The public keys that a subscription signs with now, newest first. Anyone may read them: they only
 * verify. Null: there is no such subscription, or it has no key pair.
 */
export async function readPublicKeys(
  db: SqlStatements,
  subscriptionId: string,
): Promise<readonly PublicKey[] | null> {
  if (!isId(subscriptionId)) return null;
  const keys = await db.$queryRaw<PublicKey[]>`
    select k.id, k.public_key as "publicKey"
    from subscription_secrets k join subscriptions s on s.id = k.subscription_id
    where s.id = ${subscriptionId}::uuid and s.deleted_at is null and k.kind = 'ed25519' and k.public_key is not null
      and (k.expires_at is null or k.expires_at > now())
    order by k.id desc`;
  return keys.length === 0 ? null : keys;
}
