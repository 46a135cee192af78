import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { isId } from "#lib/ids.ts";

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
