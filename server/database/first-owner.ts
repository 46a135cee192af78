import { AppError } from "#lib/base/errors.ts";
import type { AdminEnv } from "#lib/core/env/admin-settings.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { hasOwner } from "#lib/db/accounts/owner.ts";
import { createSetupToken } from "#lib/db/accounts/setup-tokens.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { ensureFirstOwner } from "#lib/services/account/first-owner.ts";
import { StartError } from "#server/system/start-error.ts";

/** The way in which the person who reads the banner gets access. */
export type FirstAccess =
  | { readonly kind: "created" | "exists"; readonly email: string }
  | { readonly kind: "signIn" }
  | { readonly kind: "setupLink"; readonly link: string };

/** Creates the first owner from the environment, or a one-time setup link for the browser. */
export async function prepareFirstOwner(env: Env, db: Database): Promise<FirstAccess> {
  if (env.admin !== undefined) return fromEnvironment(db, env.admin);
  if (await hasOwner(db)) return { kind: "signIn" };
  const link = new URL("/setup", env.publicUrl);
  link.searchParams.set("token", await createSetupToken(db));
  return { kind: "setupLink", link: link.toString() };
}

async function fromEnvironment(db: Database, admin: AdminEnv): Promise<FirstAccess> {
  try {
    return { kind: await ensureFirstOwner(db, admin), email: admin.email };
  } catch (error) {
    throw error instanceof AppError ? new StartError(error.message) : error;
  }
}
