import { AppError } from "#lib/base/errors.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";

type BearerToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly detail: string };

/** The token of `Authorization: Bearer <token>` (RFC 6750). */
export function parseBearerToken(authorization: string | null): BearerToken {
  if (authorization === null)
    return { ok: false, detail: "Send an API token: Authorization: Bearer <token>." };
  const token = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization)?.[1];
  return token === undefined
    ? { ok: false, detail: "The Authorization header must be: Bearer <token>." }
    : { ok: true, token };
}

/** Throws `unauthenticated`. */
export function readBearerToken(authorization: string | null): string {
  const parsed = parseBearerToken(authorization);
  if (!parsed.ok) throw new AppError("unauthenticated", parsed.detail);
  return parsed.token;
}

export const unknownTokenDetail =
  "This API token is unknown, revoked, or expired. Create a new one in the dashboard.";

export function unknownToken(): AppError {
  return new AppError("unauthenticated", unknownTokenDetail);
}

export function describeMissingScope(scope: ApiScope): string {
  return `This API token needs the scope ${scope}.`;
}
