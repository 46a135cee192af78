import {
  type FirstOwner,
  passwordProblem,
  requireSetup,
  requireValidToken,
} from "#lib/core/account/first-owner.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { newId } from "#lib/ids.ts";
import type { Setup } from "#lib/schema/account/setup.ts";
import { commonPassword, hashNewPassword } from "../../services/account/new-password.ts";
import { putEnvironmentToken } from "./environment-token.ts";

export type NewOwner = { readonly userId: string; readonly accountId: string };

export async function hasOwner(db: Database | Prisma.TransactionClient): Promise<boolean> {
  const owner = await db.membership.findFirst({
    where: { role: "owner" },
    select: { userId: true },
  });
  return owner !== null;
}

/**
 * Creates the first owner from the environment if there is none. Safe to call at every start and
 * from many processes at once. An existing owner's email, password, and account are left alone:
 * these variables are for the first start. The API token follows the environment, see
 * `putEnvironmentToken`.
 *
 * Throws an AppError (`invalid_request`) that says what is wrong.
 */
export async function ensureFirstOwner(
  db: Database,
  given: FirstOwner,
): Promise<"created" | "exists"> {
  const apiToken = given.apiToken === undefined ? undefined : requireValidToken(given.apiToken);
  const created = (await hasOwner(db)) ? null : await createFirstOwner(db, requireSetup(given));
  if (apiToken !== undefined) await putEnvironmentToken(db, apiToken);
  return created === null ? "exists" : "created";
}

/** The only place that creates an owner without an invitation. Null if an owner exists. */
async function createFirstOwner(db: Database, setup: Setup): Promise<NewOwner | null> {
  const passwordHash = await hashNewPassword(setup.password);
  if (passwordHash === null) throw passwordProblem(commonPassword);
  return await db.$transaction(async (tx) => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return null;
    return await insertOwner(tx, { ...setup, passwordHash });
  });
}

/** Serializes transactions that may create an owner. */
export async function lockOwners(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('catchment first owner'))`;
}

/** Call only under {@link lockOwners}, after {@link hasOwner} returned false. */
export async function insertOwner(
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
