import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { ApiScope } from "#lib/schema/account/api-token.ts";
import { parseScopes } from "./api-tokens.ts";

/** An active token, for a cache. */
export type PublishToken = {
  readonly accountId: string;
  readonly scopes: readonly ApiScope[];
  /** The remaining time, by the database's clock. Null: it doesn't expire. */
  readonly expiresInMs: number | null;
};

/**
 * The active tokens with these hashes, in order; null: unknown, revoked, or expired. Records the
 * use at most once a minute, like `findApiToken`.
 *
 * @param hashes SHA-256 in hexadecimal
 */
export async function findPublishTokens(
  db: SqlStatements,
  hashes: readonly string[],
): Promise<readonly (PublishToken | null)[]> {
  const rows = await db.$queryRaw<Row[]>`
    with found as (
      select id, account_id, scopes, expires_at, last_used_at, encode(token_hash, 'hex') as hash
      from api_tokens
      where token_hash = any (array(select decode(hash, 'hex') from unnest(${`{${hashes.join(",")}}`}::text[]) as hash))
        and revoked_at is null and (expires_at is null or expires_at > now())
    ), noted as (
      update api_tokens set last_used_at = now()
      where id = any (array(
        select id from found where last_used_at is null or last_used_at < now() - interval '1 minute'
      ))
    )
    select hash, account_id as "accountId", scopes,
      (extract(epoch from expires_at - now()) * 1000)::float8 as "expiresInMs"
    from found`;
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    if (row === undefined) return null;
    const { accountId, scopes, expiresInMs } = row;
    return { accountId, scopes: parseScopes(scopes), expiresInMs };
  });
}

type Row = {
  readonly hash: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly expiresInMs: number | null;
};
