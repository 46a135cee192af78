import { createHash, randomBytes } from "node:crypto";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Setup } from "#lib/schema/account/setup.ts";
import { hashNewPassword } from "../../services/account/new-password.ts";
import { hasOwner, insertOwner, lockOwners, type NewOwner } from "./owner.ts";

export type SetupState = "open" | "link_invalid" | "owner_exists";
export type SetupResult =
  | ({ readonly ok: true } & NewOwner)
  | { readonly ok: false; readonly code: Exclude<SetupState, "open"> | "password_common" };

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

/** Whether this token can create the first owner now. */
export async function readSetupState(db: Database, token: string): Promise<SetupState> {
  if (!tokenPattern.test(token)) return "link_invalid";
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from setup_tokens
    where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()`;
  if (rows.length === 0) return "link_invalid";
  return (await hasOwner(db)) ? "owner_exists" : "open";
}

/**
 * Creates the first owner and uses up the token in one transaction. Of any number of concurrent
 * attempts, even with different tokens, one succeeds.
 */
export async function claimSetup(db: Database, token: string, setup: Setup): Promise<SetupResult> {
  // Cheap check first, so that strangers can't make us hash passwords.
  const state = await readSetupState(db, token);
  if (state !== "open") return { ok: false, code: state };
  const passwordHash = await hashNewPassword(setup.password);
  if (passwordHash === null) return { ok: false, code: "password_common" };
  return await db.$transaction(async (tx): Promise<SetupResult> => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return { ok: false, code: "owner_exists" };
    const used = await tx.$executeRaw`
      update setup_tokens set used_at = now()
      where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()`;
    if (used !== 1) return { ok: false, code: "link_invalid" };
    return { ok: true, ...(await insertOwner(tx, { ...setup, passwordHash })) };
  });
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

function hashToken(token: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(token, "utf8").digest();
}
