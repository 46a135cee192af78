import { createHash, randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { parseScopes } from "#lib/db/accounts/api-tokens.ts";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { authorizationCodeSeconds } from "#lib/schema/account/client-sign-in.ts";
import { isRole, type Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";

/** What a person allowed a program to have. */
type AllowedAccess = {
  readonly userId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly resource: string;
  readonly scopes: readonly ApiScope[];
};

/** Stores what was allowed, and returns its code (256 random bits), of which only the SHA-256 is stored. */
export async function insertAuthorizationCode(
  tx: Transaction,
  accountId: string,
  allowed: AllowedAccess,
): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  const { userId, clientId, clientName, redirectUri, codeChallenge, resource, scopes } = allowed;
  await tx.$executeRaw`
    insert into authorization_codes
      (id, account_id, user_id, code_hash, client_id, client_name, redirect_uri, code_challenge, resource, scopes,
        expires_at)
    values (${newId()}::uuid, ${accountId}::uuid, ${userId}::uuid, ${hashToken(code)}, ${clientId}, ${clientName},
      ${redirectUri}, ${codeChallenge}, ${resource}, ${[...scopes]}::text[],
      now() + make_interval(secs => ${authorizationCodeSeconds}::int))`;
  return code;
}

/** Whose a code is. */
type FoundCode = Pick<AllowedAccess, "userId" | "clientName"> & {
  readonly accountId: string;
  /** What was made from it. Null: nothing. */
  readonly tokenId: string | null;
};

/** Finds a code, even one that was used or has expired. Null: it is unknown. */
export async function findAuthorizationCode(
  db: Database | Transaction,
  code: string,
): Promise<FoundCode | null> {
  return await db.authorizationCode.findUnique({
    where: { codeHash: hashToken(code) },
    select: { accountId: true, tokenId: true, userId: true, clientName: true },
  });
}

/** A code as the program sends it, with what proves that it is the one that asked. */
export type PresentedCode = {
  readonly code: string;
  readonly codeVerifier: string;
  readonly clientId: string;
  readonly redirectUri: string;
};

type ClaimedCode = {
  readonly id: string;
  readonly clientName: string;
  readonly scopes: readonly ApiScope[];
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
};

/**
 * Claims a code, once, however many ask at the same time. Call it while the account is locked, so that its person
 * stays a member. Null: it was claimed, has expired, or is for someone else.
 */
export async function claimAuthorizationCode(
  tx: Transaction,
  accountId: string,
  { code, codeVerifier, clientId, redirectUri }: PresentedCode,
): Promise<ClaimedCode | null> {
  const challenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const [row] = await tx.$queryRaw<ClaimedRow[]>`
    update authorization_codes c set claimed_at = now()
    from memberships m join users u on u.id = m.user_id
    where c.code_hash = ${hashToken(code)} and c.claimed_at is null and c.expires_at > now()
      and c.client_id = ${clientId} and c.redirect_uri = ${redirectUri} and c.code_challenge = ${challenge}
      and c.account_id = ${accountId}::uuid and m.account_id = c.account_id and m.user_id = c.user_id
    returning c.id, c.client_name as "clientName", c.scopes, m.user_id as "userId", m.role, u.email`;
  if (row === undefined || !isRole(row.role)) return null;
  return { ...row, role: row.role, scopes: parseScopes(row.scopes ?? []) };
}

type ClaimedRow = {
  id: string;
  clientName: string;
  scopes: string[] | null;
  userId: string;
  role: string;
  email: string;
};

/** Notes the token that was made from a code. */
export async function nameTokenOfCode(
  tx: Transaction,
  accountId: string,
  { id, tokenId }: { readonly id: string; readonly tokenId: string },
): Promise<void> {
  await tx.authorizationCode.updateMany({ where: { id, accountId }, data: { tokenId } });
}

/** Removes codes an hour after their end: until then, a second use of one ends its token. */
export async function pruneAuthorizationCodes(db: SqlStatements): Promise<number> {
  return await db.$executeRaw`
    delete from authorization_codes where expires_at < now() - interval '1 hour'`;
}
