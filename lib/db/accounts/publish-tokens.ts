import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { limitScopes } from "#lib/schema/account/permissions.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { parseScopes, toTokenRole } from "./api-tokens.ts";

/** An active token, for a cache. */
export type PublishToken = {
  readonly accountId: string;
  /** The scopes that its maker's role allows now. */
  readonly scopes: readonly ApiScope[];
  /** The remaining time, by the database's clock. Null: it doesn't expire. */
  readonly expiresInMs: number | null;
};

/**
 * The active tokens with these hashes, in order; null: unknown, revoked, expired, or of a maker who
 * no longer belongs to the account. Records the use at most once a minute, like `findApiToken`.
 *
 * @param hashes SHA-256 in hexadecimal
 */
export async function findPublishTokens(
  db: SqlStatements,
  hashes: readonly string[],
): Promise<readonly (PublishToken | null)[]> {
  const rows = await db.$queryRaw<Row[]>`
    with found as (
      select t.id, t.account_id, t.scopes, t.expires_at, t.last_used_at, m.role,
        encode(t.token_hash, 'hex') as hash
      from api_tokens t
        left join memberships m on m.account_id = t.account_id and m.user_id = t.created_by
      where t.token_hash = any (array(select decode(hash, 'hex') from unnest(${`{${hashes.join(",")}}`}::text[]) as hash))
        and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
        and (t.created_by is null or m.role is not null)
    ), noted as (
      update api_tokens set last_used_at = now()
      where id = any (array(
        select id from found where last_used_at is null or last_used_at < now() - interval '1 minute'
      ))
    )
    select hash, account_id as "accountId", scopes, role,
      (extract(epoch from expires_at - now()) * 1000)::float8 as "expiresInMs"
    from found`;
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    if (row === undefined) return null;
    const { accountId, role, expiresInMs } = row;
    const scopes = limitScopes(parseScopes(row.scopes), toTokenRole(role));
    return { accountId, scopes, expiresInMs };
  });
}

type Row = {
  readonly hash: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly role: string | null;
  readonly expiresInMs: number | null;
};
