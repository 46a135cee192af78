import { readBearerToken, unknownToken } from "#lib/core/api/bearer-token.ts";
import { type ApiTokenHolder, findApiToken } from "#lib/db/accounts/api-tokens.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/**
 * Authenticates a caller by `Authorization: Bearer <token>` (RFC 6750). Throws `unauthenticated`.
 */
export async function requireToken(db: Database, request: Request): Promise<ApiTokenHolder> {
  const holder = await findApiToken(db, readBearerToken(request.headers.get("authorization")));
  if (holder === null) throw unknownToken();
  return holder;
}
