import { generateKeyPairSync, randomBytes } from "node:crypto";
import { subscriptionSecretPlace } from "#lib/core/seal/seal-places.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { secretHint } from "#lib/core/secret/secret-hint.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { newId } from "#lib/ids.ts";
import type { SubscriptionSecretSummary } from "./subscription-record.ts";

/** `whsec_` and base64 of 32 random bytes: https://www.standardwebhooks.com. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

type Owner = { readonly accountId: string; readonly subscriptionId: string };
type Transaction = Prisma.TransactionClient;

/** The caller has checked that the subscription belongs to the account. */
export async function addSecret(
  tx: Transaction,
  { accountId, subscriptionId }: Owner,
  secret: string,
  sealer: Sealer,
): Promise<void> {
  const id = newId();
  const ciphertext = sealer.seal(
    Buffer.from(secret, "utf8"),
    subscriptionSecretPlace({ id, accountId }),
  );
  await tx.$executeRaw`
    insert into subscription_secrets (id, subscription_id, account_id, kind, ciphertext, hint)
    values (${id}::uuid, ${subscriptionId}::uuid, ${accountId}::uuid, 'hmac', ${ciphertext}::bytea, ${secretHint(secret)})`;
}

/** An Ed25519 key pair for `v1a` signatures. Its public key may be shown to everyone. */
export async function addKeyPair(
  tx: Transaction,
  { accountId, subscriptionId }: Owner,
  sealer: Sealer,
): Promise<void> {
  const id = newId();
  const pair = generateKeyPairSync("ed25519");
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const raw = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const publicKey = `whpk_${raw.toString("base64")}`;
  const ciphertext = sealer.seal(
    Buffer.from(pem, "utf8"),
    subscriptionSecretPlace({ id, accountId }),
  );
  await tx.$executeRaw`
    insert into subscription_secrets (id, subscription_id, account_id, kind, ciphertext, public_key, hint)
    values (${id}::uuid, ${subscriptionId}::uuid, ${accountId}::uuid, 'ed25519', ${ciphertext}::bytea, ${publicKey},
      ${secretHint(publicKey)})`;
}

export async function removeKeyPairs(tx: Transaction, subscriptionId: string): Promise<void> {
  await tx.$executeRaw`
    delete from subscription_secrets where subscription_id = ${subscriptionId}::uuid and kind = 'ed25519'`;
}

export async function countSecrets(tx: SqlStatements, subscriptionId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from subscription_secrets
    where subscription_id = ${subscriptionId}::uuid and kind = 'hmac'`;
  return row?.count ?? 0;
}

/** By the database's clock. An earlier expiry stays. 0: they end now. */
export async function expireSecrets(
  tx: Transaction,
  subscriptionId: string,
  seconds: number,
): Promise<void> {
  // Not by an expiry of now: the column rounds to milliseconds, so it could still be in the future.
  if (seconds > 0) {
    await tx.$executeRaw`
      update subscription_secrets set expires_at = least(expires_at, now() + ${seconds}::int * interval '1 second')
      where subscription_id = ${subscriptionId}::uuid and kind = 'hmac'`;
  }
  await tx.$executeRaw`
    delete from subscription_secrets
    where subscription_id = ${subscriptionId}::uuid and kind = 'hmac' and (${seconds === 0} or expires_at <= now())`;
}

/** Those that sign now, newest first, by subscription. */
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
