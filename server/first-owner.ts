import type { Database } from "#lib/db/client.ts";
import { ensureFirstOwner, hasOwner } from "#lib/db/owner.ts";
import { createSetupToken } from "#lib/db/setup-tokens.ts";
import type { AdminEnv, Env } from "#lib/env.ts";
import { AppError } from "#lib/errors.ts";
import { StartError } from "./start-error.ts";

/** How the person who reads the banner gets in. */
export type WayIn =
  | { readonly kind: "created" | "exists"; readonly email: string }
  | { readonly kind: "signIn" }
  | { readonly kind: "setupLink"; readonly link: string };

/** Makes the first owner from the environment, or else a one-time link that lets a browser do it. */
export async function prepareFirstOwner(env: Env, db: Database): Promise<WayIn> {
  if (env.admin !== undefined) return fromEnvironment(db, env.admin);
  if (await hasOwner(db)) return { kind: "signIn" };
  const link = new URL("/setup", env.publicUrl);
  link.searchParams.set("token", await createSetupToken(db));
  return { kind: "setupLink", link: link.toString() };
}

async function fromEnvironment(db: Database, admin: AdminEnv): Promise<WayIn> {
  try {
    return { kind: await ensureFirstOwner(db, admin), email: admin.email };
  } catch (error) {
    throw error instanceof AppError ? new StartError(error.message) : error;
  }
}
