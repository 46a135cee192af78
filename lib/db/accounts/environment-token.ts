import { createHash } from "node:crypto";
import { hexToId } from "#lib/base/ids.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { hashToken } from "./hash-token.ts";

/**
 * Stores the API token from the environment, which has all scopes. The first one belongs to the first
 * owner's account. A new one replaces the previous one in its account, also under other owners, and the
 * previous one stops working. A token that was revoked in the dashboard stays revoked until the
 * environment has another. Does nothing while there is no owner.
 */
export async function putEnvironmentToken(db: Database, token: string): Promise<void> {
  const stored = await listEnvironmentTokens(db);
  const accountId = stored[0]?.accountId ?? (await findFirstOwnersAccount(db));
  if (accountId === undefined) return;
  const hash = hashToken(token);
  await db.$transaction([
    // A conflict on the hash means that this token exists already.
    db.$executeRaw`
      insert into api_tokens as t (id, account_id, name, token_hash, hint, scopes)
      select ${environmentTokenId(accountId)}::uuid, ${accountId}::uuid, ${tokenName},
        ${hash}, ${token.slice(-4)}, ${[...apiScopes]}::text[]
      where not exists (select 1 from api_tokens where token_hash = ${hash})
      on conflict (id) do update set token_hash = excluded.token_hash, hint = excluded.hint, scopes = excluded.scopes,
        created_at = now(), last_used_at = null, revoked_at = null, expires_at = null`,
    // Earlier versions could leave one in another account.
    db.apiToken.updateMany({
      where: { id: { in: stored.map(({ id }) => id) }, tokenHash: { not: hash }, revokedAt: null },
      data: { revokedAt: new Date() },
    }),
  ]);
}

const tokenName = "CATCHMENT_ADMIN_API_TOKEN";

async function listEnvironmentTokens(db: Database) {
  const rows = await db.apiToken.findMany({
    where: { createdBy: null, name: tokenName },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, accountId: true },
  });
  return rows.filter(({ id, accountId }) => id === environmentTokenId(accountId));
}

async function findFirstOwnersAccount(db: Database): Promise<string | undefined> {
  const owner = await db.membership.findFirst({
    where: { role: "owner" },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    select: { accountId: true },
  });
  return owner?.accountId;
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
