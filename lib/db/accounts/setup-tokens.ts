import { randomBytes } from "node:crypto";
import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { hashToken } from "./hash-token.ts";

/**
 * Creates a token for the one-time link that creates the first owner: 256 random bits, valid for 24
 * hours by the database's clock. Only its SHA-256 is stored. Earlier tokens stop working.
 */
export async function createSetupToken(db: Database): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.$transaction([
    db.setupToken.deleteMany({ where: { usedAt: null } }),
    db.$executeRaw`
      insert into setup_tokens (token_hash, expires_at) values (${hashToken(token)}, now() + interval '24 hours')`,
  ]);
  return token;
}

/** True if the token exists, is the newest one, and can still be used. */
export async function isSetupTokenOpen(db: SqlStatements, token: string): Promise<boolean> {
  if (!tokenPattern.test(token)) return false;
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from setup_tokens
    where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()`;
  return rows.length > 0;
}

/** Uses up a token. False if it can't be used. */
export async function consumeSetupToken(tx: SqlStatements, token: string): Promise<boolean> {
  const used = await tx.$executeRaw`
    update setup_tokens set used_at = now()
    where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()`;
  return used === 1;
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;
