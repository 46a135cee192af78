import { hasOwner } from "#lib/db/accounts/owner.ts";
import { listSessions, type SessionUser } from "#lib/db/accounts/sessions.ts";
import { hasIdentity } from "#lib/db/sign-in/identities.ts";
import { listPasskeys } from "#lib/db/sign-in/passkeys.ts";
import { countRecoveryCodes, hasTwoFactor } from "#lib/db/sign-in/totp-secrets.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { findRelyingParty } from "#lib/services/sign-in/relying-party.ts";
import { isResetLinkOpen } from "#lib/services/sign-in/reset-password.ts";

/** The ways to sign in that the operator has set up. */
export async function readSignInPage({ db, env }: ServerContext) {
  const { oidc } = env;
  return {
    isSetUp: await hasOwner(db),
    /** The name of the identity provider. Null: there is none. */
    providerName: oidc?.name ?? null,
    /** Passwords and passkeys are off. */
    isProviderOnly: oidc?.isOnly === true,
    canResetByEmail: canReset(env),
    hasPasskeys: findRelyingParty(env) !== null,
  };
}

/** True if a forgotten password can be reset by email. */
export function canResetByEmail({ env }: ServerContext): boolean {
  return canReset(env);
}

function canReset({ mail, oidc }: ServerContext["env"]): boolean {
  return mail !== undefined && oidc?.isOnly !== true;
}

/** How the signed-in person signs in, and where they are signed in. */
export async function readSignInSettings(
  { db, env }: ServiceContext,
  { userId }: Pick<SessionUser, "userId">,
) {
  const { oidc } = env;
  const [sessions, isOn, codesLeft, passkeys, isKnown] = await Promise.all([
    listSessions(db, userId),
    hasTwoFactor(db, userId),
    countRecoveryCodes(db, userId),
    listPasskeys(db, userId),
    hasIdentity(db, userId),
  ]);
  return {
    nowMs: Date.now(),
    sessions,
    providerName: oidc?.name ?? null,
    isProviderOnly: oidc?.isOnly === true,
    hasIdentity: isKnown,
    twoFactor: { isOn, codesLeft },
    /** Null: browsers make none for this site. */
    passkeys: findRelyingParty(env) === null ? null : passkeys,
  };
}

/** The state of the link that resets a password. */
export async function readResetPage(context: ServerContext, token: string) {
  return { isOpen: await isResetLinkOpen(context, token) };
}
