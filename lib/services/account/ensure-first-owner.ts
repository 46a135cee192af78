import {
  type FirstOwner,
  passwordProblem,
  requireSetup,
  requireValidToken,
} from "#lib/core/people/sign-in/first-owner.ts";
import { putEnvironmentToken } from "#lib/db/accounts/environment-token.ts";
import { hasOwner, insertOwner, lockOwners, type NewOwner } from "#lib/db/accounts/owner.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Setup } from "#lib/schema/account/setup.ts";
import { commonPassword, hashNewPassword } from "./new-password.ts";

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

/** Besides `claimSetup`, the only place that creates an owner. Null if an owner exists. */
async function createFirstOwner(db: Database, setup: Setup): Promise<NewOwner | null> {
  const passwordHash = await hashNewPassword(setup.password);
  if (passwordHash === null) throw passwordProblem(commonPassword);
  return await db.$transaction(async (tx) => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return null;
    return await insertOwner(tx, { ...setup, passwordHash });
  });
}
