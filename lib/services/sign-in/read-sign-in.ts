import { isIP } from "node:net";
import { AppError } from "#lib/base/errors.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { hasOwner } from "#lib/db/accounts/owner.ts";
import { listSessions } from "#lib/db/accounts/sessions.ts";
import { hasIdentity } from "#lib/db/sign-in/identities.ts";
import { listPasskeys } from "#lib/db/sign-in/passkeys.ts";
import { countRecoveryCodes, hasTwoFactor } from "#lib/db/sign-in/totp-secrets.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { requireUser } from "#lib/services/account/person.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** The ways to sign in that the operator has set up. */
export async function readSignInPage({ db, env }: ServiceParts) {
  const { oidc } = env;
  return {
    isSetUp: await hasOwner(db),
    /** The name of the identity provider. Null: there is none. */
    providerName: oidc?.name ?? null,
    /** Passwords and passkeys are off. */
    isProviderOnly: oidc?.isOnly === true,
    canResetByEmail: canResetByEmail({ env }),
    hasPasskeys: findRelyingParty(env) !== null,
  };
}

/** True if a forgotten password can be reset by email. */
export function canResetByEmail({ env }: Pick<ServiceParts, "env">): boolean {
  return env.mail !== undefined && env.oidc?.isOnly !== true;
}

/** How the signed-in person signs in, and where they are signed in. */
export const readSignInSettings = service({
  permission: "profile:write",
  input: noFields,
  run: async ({ db, env, actor, now }) => {
    const { userId } = requireUser(actor);
    const { oidc } = env;
    const [sessions, isOn, codesLeft, passkeys, isKnown] = await Promise.all([
      listSessions(db, userId),
      hasTwoFactor(db, userId),
      countRecoveryCodes(db, userId),
      listPasskeys(db, userId),
      hasIdentity(db, userId),
    ]);
    return {
      nowMs: now().getTime(),
      sessions,
      providerName: oidc?.name ?? null,
      isProviderOnly: oidc?.isOnly === true,
      hasIdentity: isKnown,
      twoFactor: { isOn, codesLeft },
      /** Null: browsers make none for this site. */
      passkeys: findRelyingParty(env) === null ? null : passkeys,
    };
  },
});

/**
 * Returns the site that passkeys belong to. Null: browsers create none for an IP address or without
 * https, or the operator allows only single sign-on.
 */
function findRelyingParty({
  publicUrl,
  oidc,
}: Env): { readonly rpId: string; readonly origin: string } | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost";
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return isSecure && !isAddress && oidc?.isOnly !== true ? { rpId: hostname, origin } : null;
}

/** Returns the site that passkeys belong to. Throws `forbidden` if it can't have any. */
export function requirePasskeys(env: Env): { readonly rpId: string; readonly origin: string } {
  const found = findRelyingParty(env);
  if (found !== null) return found;
  throw new AppError("forbidden", "Passkeys need a public URL with https and a host name.");
}
