import { type ApiTokenHolder, findApiToken } from "#lib/db/accounts/api-tokens.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { AppError } from "#lib/errors.ts";
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
  const header = request.headers.get("authorization");
  if (header === null)
    throw new AppError("unauthenticated", "Send an API token: Authorization: Bearer <token>.");
  const token = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new AppError("unauthenticated", "The Authorization header must be: Bearer <token>.");
  }
  const holder = await findApiToken(db, token);
  if (holder === null) {
    throw new AppError(
      "unauthenticated",
      "This API token is unknown, revoked, or expired. Create a new one in the dashboard.",
    );
  }
  requireScope(holder, scope);
  return holder;
}

/** Throws `forbidden` if the token lacks the scope. */
export function requireScope(holder: ApiTokenHolder, scope: ApiScope): void {
  if (holder.scopes.includes(scope)) return;
  throw new AppError("forbidden", `This API token needs the scope ${scope}.`);
}
