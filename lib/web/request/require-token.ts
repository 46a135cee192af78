import { readBearerToken, unknownToken } from "#lib/core/api/bearer-token.ts";
import { findApiToken } from "#lib/services/account/api-tokens.ts";
import type { TokenActor } from "#lib/services/frame/actor.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";

/**
 * Authenticates a caller by `Authorization: Bearer <token>` (RFC 6750). Throws `unauthenticated`.
 */
export async function requireToken(
  { db }: Pick<ServerContext, "db">,
  { headers }: Pick<Request, "headers">,
): Promise<TokenActor> {
  const holder = await findApiToken(db, readBearerToken(headers.get("authorization")));
  if (holder === null) throw unknownToken();
  return { type: "token", ...holder };
}
