import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { newId } from "#lib/base/ids.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { apiScopeSchema } from "#lib/schema/account/api-token.ts";
import { isAtLeast, isRole, type Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { hashToken } from "./hash-token.ts";

/** The holder of a token. */
export type ApiTokenHolder = {
  readonly tokenId: string;
  readonly name: string;
  readonly accountId: string;
  readonly scopes: readonly ApiScope[];
  /** Its maker. Null: it comes from the environment, or is older than makers are recorded. */
  readonly userId: string | null;
  /** The role of its maker now. A token without a maker acts as an admin. */
  readonly role: Role;
  /** The account's fields that it sees masked. */
  readonly maskedFields: readonly string[];
};

/** A token as shown in lists. Only its SHA-256 is stored, so it can't be shown again. */
type ApiTokenSummary = {
  readonly id: string;
  readonly name: string;
  /** The last 4 characters. */
  readonly hint: string;
  readonly scopes: readonly ApiScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Its maker. Null: it has none. */
  readonly maker: { readonly id: string; readonly name: string; readonly email: string } | null;
};

type NewApiToken = {
  /** Its maker. Null: none. */
  readonly userId: string | null;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  readonly expiresAt: Date | null;
  /** The OAuth client that gets it. Omitted: none. */
  readonly clientId?: string;
};

/** Creates a token and returns it. It can't be read again later. */
export async function createApiToken(
  db: Database | Transaction,
  accountId: string,
  { userId, name, scopes, expiresAt, clientId }: NewApiToken,
): Promise<{ readonly id: string; readonly token: string }> {
  const id = newId();
  const token = generateApiToken();
  await db.apiToken.create({
    data: {
      id,
      accountId,
      createdBy: userId,
      name,
      scopes: [...scopes],
      expiresAt,
      clientId: clientId ?? null,
      tokenHash: hashToken(token),
      hint: token.slice(-4),
    },
  });
  return { id, token };
}

/**
 * The holder of a token, or null if it is unknown, revoked, or expired by the database's clock, or
 * its maker no longer belongs to the account.
 * Reads the database each time, so a revocation takes effect with the next request in every
 * process. Records the use at most once a minute.
 */
export async function findApiToken(db: Database, token: string): Promise<ApiTokenHolder | null> {
  if (token.length > maxTokenChars) return null;
  const rows = await db.$queryRaw<TokenRow[]>`
    with found as (
      select t.id, t.name, t.account_id, t.scopes, t.last_used_at, t.created_by, m.role, a.masked_fields
      from api_tokens t
        join accounts a on a.id = t.account_id
        left join memberships m on m.account_id = t.account_id and m.user_id = t.created_by
      where t.token_hash = ${hashToken(token)} and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > now()) and (t.created_by is null or m.role is not null)
    ), noted as (
      update api_tokens set last_used_at = now()
      where id = (select id from found where last_used_at is null or last_used_at < now() - interval '1 minute')
    )
    select id, name, account_id, scopes, created_by, role, masked_fields from found`;
  const row = rows[0];
  if (row === undefined) return null;
  const { id, name, account_id, created_by, masked_fields } = row;
  const held = { scopes: parseScopes(row.scopes), role: toTokenRole(row.role) };
  const maskedFields = seesAll(held) ? [] : masked_fields;
  return { tokenId: id, name, accountId: account_id, userId: created_by, ...held, maskedFields };
}

/** A token that only reads is like a viewer, even if an owner made it. */
function seesAll({ scopes, role }: Pick<ApiTokenHolder, "scopes" | "role">): boolean {
  return isAtLeast(role, "member") && scopes.some((scope) => scope.endsWith(":write"));
}

type TokenRow = {
  id: string;
  name: string;
  account_id: string;
  scopes: string[];
  created_by: string | null;
  role: string | null;
  masked_fields: string[];
};

/** The role with which a token acts: its maker's, and admin if it has no maker. */
export function toTokenRole(role: string | null): Role {
  if (role === null) return "admin";
  return isRole(role) ? role : "viewer";
}

/** Lists at most 200 tokens, newest first, including revoked and expired ones. */
export async function listApiTokens(
  db: Database,
  accountId: string,
): Promise<readonly ApiTokenSummary[]> {
  const rows = await db.apiToken.findMany({
    where: { accountId },
    orderBy: { id: "desc" },
    take: 200,
    omit: { tokenHash: true, accountId: true, createdBy: true, clientId: true },
    include: { maker: { select: { id: true, name: true, email: true } } },
  });
  return rows.map((row) => ({ ...row, scopes: parseScopes(row.scopes) }));
}

/**
 * Revokes a token. False if this account has no such active token.
 *
 * @param maker only a token that this person made
 */
export async function revokeApiToken(
  db: Database | Transaction,
  accountId: string,
  tokenId: string,
  maker?: string,
): Promise<boolean> {
  const { count } = await db.apiToken.updateMany({
    where: { id: tokenId, accountId, revokedAt: null, ...(maker && { createdBy: maker }) },
    data: { revokedAt: new Date() },
  });
  return count > 0;
}

/** A token as its holder revokes it. */
type HeldToken = Pick<ApiTokenHolder, "tokenId" | "name" | "accountId" | "userId"> & {
  /** The OAuth client that got it. Null: none. */
  readonly clientId: string | null;
};

/** Finds an active token by its text, whatever its maker may do now. Null: there is none. */
export async function findHeldToken(db: Database, token: string): Promise<HeldToken | null> {
  const found = await db.apiToken.findFirst({
    where: { tokenHash: hashToken(token), revokedAt: null },
    select: { id: true, name: true, accountId: true, createdBy: true, clientId: true },
  });
  if (found === null) return null;
  const { id, name, accountId, createdBy, clientId } = found;
  return { tokenId: id, name, accountId, userId: createdBy, clientId };
}

const maxTokenChars = 512;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomChars = 30;
const checksumChars = 6;

export function generateApiToken(): string {
  return generateToken("cmt_");
}

/**
 * A prefix, 30 random characters (178 bits), and a checksum. Secret scanners find it by its prefix
 * and rule out false positives by the CRC-32 (base 62) without asking us.
 */
export function generateToken(prefix: string): string {
  const random = Array.from(
    { length: randomChars },
    () => alphabet[randomInt(alphabet.length)],
  ).join("");
  return `${prefix}${random}${checksum(random)}`;
}

/** True if a text has the format and checksum of one of our tokens. It may still be revoked. */
export function isOurApiToken(text: string): boolean {
  const random = /^cmt_([0-9A-Za-z]{30})[0-9A-Za-z]{6}$/.exec(text)?.[1];
  return random !== undefined && text.endsWith(checksum(random));
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = "";
  while (text.length < checksumChars) {
    text = `${alphabet[rest % alphabet.length]}${text}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/** Drops scopes that this version doesn't know. */
export function parseScopes(scopes: readonly string[]): ApiScope[] {
  return scopes.flatMap((scope) => {
    const parsed = apiScopeSchema.safeParse(scope);
    return parsed.success ? [parsed.data] : [];
  });
}
