import { createHash, randomBytes } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { type Setup, setupSchema } from "#lib/schema/setup.ts";
import type { Database } from "./client.ts";
import { putEnvironmentToken, requireGivenToken } from "./environment-token.ts";
import type { Prisma } from "./generated/client.ts";
import { hashPassword } from "./password.ts";

/** What the environment says about the first owner. */
export type FirstOwner = {
  readonly email: string;
  readonly password: string;
  /** The slug of their account. */
  readonly account: string;
  readonly apiToken: string | undefined;
};

export type NewOwner = { readonly userId: string; readonly accountId: string };

export type SetupState = "open" | "link_invalid" | "owner_exists";
export type SetupResult =
  | ({ readonly ok: true } & NewOwner)
  | { readonly ok: false; readonly code: Exclude<SetupState, "open"> };

export async function hasOwner(db: Database | Prisma.TransactionClient): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`select 1 from memberships where role = 'owner' limit 1`;
  return rows.length > 0;
}

/**
 * Makes the first owner from the environment while there is none; safe to call at every start and by many processes
 * at once. E-mail, password and account of an owner who exists are left alone: the environment is for the first start.
 *
 * The API token is different: it follows the environment, see `putEnvironmentToken`.
 *
 * Throws an AppError (`invalid_request`) whose message names what is wrong.
 */
export async function ensureFirstOwner(db: Database, given: FirstOwner): Promise<"created" | "exists"> {
  const apiToken = given.apiToken === undefined ? undefined : requireGivenToken(given.apiToken);
  const created = (await hasOwner(db)) ? null : await createFirstOwner(db, requireSetup(given));
  if (apiToken !== undefined) await putEnvironmentToken(db, apiToken);
  return created === null ? "exists" : "created";
}

/**
 * A token for the one-time link that makes the first owner: 256 random bits, good for 24 hours by the database's
 * clock. Only its SHA-256 is stored, and the tokens of earlier starts stop working.
 */
export async function createSetupToken(db: Database): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.$transaction([
    db.$executeRaw`delete from setup_tokens where used_at is null`,
    db.$executeRaw`
      insert into setup_tokens (token_hash, expires_at) values (${hashToken(token)}, now() + interval '24 hours')`,
  ]);
  return token;
}

/** Whether the link with this token can make the first owner now. */
export async function readSetupState(db: Database, token: string): Promise<SetupState> {
  if (!tokenPattern.test(token)) return "link_invalid";
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from setup_tokens
    where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()`;
  if (rows.length === 0) return "link_invalid";
  return (await hasOwner(db)) ? "owner_exists" : "open";
}

/**
 * Makes the first owner and uses up the token, in one transaction: of any number of attempts at once, also with
 * different tokens, one succeeds.
 */
export async function claimSetup(db: Database, token: string, setup: Setup): Promise<SetupResult> {
  // First the cheap question, so that strangers can't make us hash passwords.
  const state = await readSetupState(db, token);
  if (state !== "open") return { ok: false, code: state };
  const passwordHash = await hashPassword(setup.password);
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

/** The one place where an owner is made without one who invites. Null when there is an owner already. */
async function createFirstOwner(db: Database, setup: Setup): Promise<NewOwner | null> {
  const passwordHash = await hashPassword(setup.password);
  return await db.$transaction(async (tx) => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return null;
    return await insertOwner(tx, { ...setup, passwordHash });
  });
}

/** Makes the transactions that may make an owner wait for one another. */
async function lockOwners(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('catchment first owner'))`;
}

/** Only under {@link lockOwners} and after {@link hasOwner} said no. */
async function insertOwner(
  tx: Prisma.TransactionClient,
  owner: Pick<Setup, "email" | "name" | "account"> & { readonly passwordHash: string },
): Promise<NewOwner> {
  const userId = newId();
  const accountId = newId();
  await tx.account.create({ data: { id: accountId, slug: owner.account, name: owner.account } });
  await tx.user.create({
    data: { id: userId, email: owner.email, name: owner.name, passwordHash: owner.passwordHash },
  });
  await tx.membership.create({ data: { accountId, userId, role: "owner" } });
  return { userId, accountId };
}

const variableOf: Readonly<Record<string, string>> = {
  email: "CATCHMENT_ADMIN_EMAIL",
  password: "CATCHMENT_ADMIN_PASSWORD",
  account: "CATCHMENT_ADMIN_ACCOUNT",
};

function requireSetup({ email, password, account }: FirstOwner): Setup {
  const name = email.split("@")[0] ?? "";
  const parsed = setupSchema.safeParse({ email, password, account, name });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${variableOf[String(path[0])] ?? "CATCHMENT_ADMIN_EMAIL"} ${message}.`,
  );
  throw new AppError("invalid_request", problems.join("\n"));
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

function hashToken(token: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(token, "utf8").digest();
}
