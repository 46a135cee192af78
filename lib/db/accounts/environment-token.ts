import { createHash } from "node:crypto";
import type { Database } from "#lib/db/postgres/client.ts";
import { hexToId } from "#lib/ids.ts";
import { apiScopes } from "#lib/schema/account/api-token.ts";
import { hashApiToken } from "./api-tokens.ts";

/**
 * Stores the API token from the environment. It belongs to the first owner's account and has all
 * scopes. A new token replaces the previous one, which stops working. A token that was revoked in
 * the dashboard stays revoked until the environment has another. Does nothing while there is no
 * owner.
 */
export async function putEnvironmentToken(db: Database, token: string): Promise<void> {
  const owner = await db.membership.findFirst({
    where: { role: "owner" },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    select: { accountId: true },
  });
  if (owner === null) return;
  // A conflict on the hash means that this token exists already.
  await db.$executeRaw`
    insert into api_tokens as t (id, account_id, name, token_hash, hint, scopes)
    select ${environmentTokenId(owner.accountId)}::uuid, ${owner.accountId}::uuid, 'CATCHMENT_ADMIN_API_TOKEN',
      ${hashApiToken(token)}, ${token.slice(-4)}, ${[...apiScopes]}::text[]
    where not exists (select 1 from api_tokens where token_hash = ${hashApiToken(token)})
    on conflict (id) do update set token_hash = excluded.token_hash, hint = excluded.hint, scopes = excluded.scopes,
      created_at = now(), last_used_at = null, revoked_at = null, expires_at = null`;
}

/**
 * An id that is the same for an account every time (RFC 9562 version 8), so that a new token
 * replaces the old one.
 */
function environmentTokenId(accountId: string): string {
  const bytes = createHash("sha256")
    .update(`environment api token of ${accountId}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hexToId(bytes.toString("hex"));
}
