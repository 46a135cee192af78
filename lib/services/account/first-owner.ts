import { log } from "#lib/base/log.ts";
import {
  type FirstOwner,
  passwordProblem,
  requireSetup,
  requireValidToken,
} from "#lib/core/people/sign-in/first-owner.ts";
import { putEnvironmentToken } from "#lib/db/accounts/environment-token.ts";
import { hasOwner, insertOwner, lockOwners, type NewOwner } from "#lib/db/accounts/owner.ts";
import { consumeSetupToken, isSetupTokenOpen } from "#lib/db/accounts/setup-tokens.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { Setup } from "#lib/schema/account/setup.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { commonPassword, hashNewPassword } from "./passwords.ts";

export type SetupState = "open" | "link_invalid" | "owner_exists";
type SetupResult =
  | ({ readonly ok: true } & NewOwner)
  | { readonly ok: false; readonly code: Exclude<SetupState, "open"> | "password_common" };

type Parts = Pick<ServiceParts, "db">;

/** Checks if the token of a setup link can create the first owner now. */
export async function readSetupState({ db }: Parts, token: string): Promise<SetupState> {
  if (!(await isSetupTokenOpen(db, token))) return "link_invalid";
  return (await hasOwner(db)) ? "owner_exists" : "open";
}

/**
 * Creates the first owner and uses up the token in one transaction. If several attempts run at
 * once, even with different tokens, one succeeds. There is no actor yet: the token authorizes.
 */
export async function claimSetup({ db }: Parts, token: string, setup: Setup): Promise<SetupResult> {
  // The cheap check comes first, so that an attacker can't make us hash passwords.
  const state = await readSetupState({ db }, token);
  if (state !== "open") return { ok: false, code: state };
  const passwordHash = await hashNewPassword(setup.password);
  if (passwordHash === null) return { ok: false, code: "password_common" };
  const result = await db.$transaction(async (tx): Promise<SetupResult> => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return { ok: false, code: "owner_exists" };
    if (!(await consumeSetupToken(tx, token))) return { ok: false, code: "link_invalid" };
    return { ok: true, ...(await insertOwner(tx, { ...setup, passwordHash })) };
  });
  if (result.ok) log.info("owner.created", { userId: result.userId, accountId: result.accountId });
  return result;
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
