import { AppError } from "#lib/errors.ts";
import type { ApiScope } from "#lib/schema/account/api-token.ts";

/** The token of `Authorization: Bearer <token>` (RFC 6750). Throws `unauthenticated`. */
export function readBearerToken(authorization: string | null): string {
  if (authorization === null)
    throw new AppError("unauthenticated", "Send an API token: Authorization: Bearer <token>.");
  const token = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization)?.[1];
  if (token === undefined)
    throw new AppError("unauthenticated", "The Authorization header must be: Bearer <token>.");
  return token;
}

export function unknownToken(): AppError {
  return new AppError(
    "unauthenticated",
    "This API token is unknown, revoked, or expired. Create a new one in the dashboard.",
  );
}

/** Throws `forbidden` if the token lacks the scope. */
export function requireScope(
  { scopes }: { readonly scopes: readonly ApiScope[] },
  scope: ApiScope,
): void {
  if (scopes.includes(scope)) return;
  throw new AppError("forbidden", `This API token needs the scope ${scope}.`);
}
