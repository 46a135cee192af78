import { readBearerToken, requireScope, unknownToken } from "#lib/core/api/bearer-token.ts";
import { type ApiTokenHolder, findApiToken } from "#lib/db/accounts/api-tokens.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { ApiScope } from "#lib/schema/account/api-token.ts";

/**
 * Authenticates the caller by `Authorization: Bearer <token>` (RFC 6750). Throws `unauthenticated`
 * or `forbidden`.
 */
export async function requireToken(
  db: Database,
  request: Request,
  scope: ApiScope,
): Promise<ApiTokenHolder> {
  const holder = await findApiToken(db, readBearerToken(request.headers.get("authorization")));
  if (holder === null) throw unknownToken();
  requireScope(holder, scope);
  return holder;
}
