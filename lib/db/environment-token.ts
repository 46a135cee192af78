import { createHash } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { apiScopes, givenApiTokenSchema } from "#lib/schema/api-token.ts";
import { hashApiToken } from "./api-tokens.ts";
import type { Database } from "./client.ts";

/**
 * The API token that the environment gives: it belongs to the account of the first owner and has all scopes. A new one
 * replaces the one that came from there before, which stops working; one that was revoked on the page stays revoked
 * until another one is given. Nothing happens while there is no owner.
 */
export async function putEnvironmentToken(db: Database, token: string): Promise<void> {
  const owner = await db.membership.findFirst({
    where: { role: "owner" },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    select: { accountId: true },
  });
  if (owner === null) return;
  // A conflict on the hash means that the same token is there already, whoever made it.
  await db.$executeRaw`
    insert into api_tokens as t (id, account_id, name, token_hash, hint, scopes)
    select ${environmentTokenId(owner.accountId)}::uuid, ${owner.accountId}::uuid, 'CATCHMENT_ADMIN_API_TOKEN',
      ${hashApiToken(token)}, ${token.slice(-4)}, ${[...apiScopes]}::text[]
    where not exists (select 1 from api_tokens where token_hash = ${hashApiToken(token)})
    on conflict (id) do update set token_hash = excluded.token_hash, hint = excluded.hint, scopes = excluded.scopes,
      created_at = now(), last_used_at = null, revoked_at = null, expires_at = null`;
}

/** Always the same for an account, so that a new token takes the place of the old one (RFC 9562 version 8). */
function environmentTokenId(accountId: string): string {
  const bytes = createHash("sha256").update(`environment api token of ${accountId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Throws an AppError (`invalid_request`) that names the variable. */
export function requireGivenToken(token: string): string {
  const parsed = givenApiTokenSchema.safeParse(token);
  if (parsed.success) return parsed.data;
  throw new AppError(
    "invalid_request",
    "CATCHMENT_ADMIN_API_TOKEN must have 32 to 512 characters, without spaces.",
  );
}
