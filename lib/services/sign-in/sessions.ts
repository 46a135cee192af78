import { isPasswordAllowed } from "#lib/db/sign-in/identities.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** Who acts is known only once a session is found or made, so these take no actor. */
export {
  createSession,
  endSession,
  findSessionPerson,
  findSessionUser,
  type SessionKey,
  type SessionPerson,
  type SessionUser,
} from "#lib/db/accounts/sessions.ts";
export type { UserCredentials } from "#lib/db/accounts/users.ts";
export { findUserById } from "#lib/db/sign-in/users.ts";

/** True unless the identity provider is the only way to sign in for this user now. */
export async function maySignInByPassword(
  { db, env }: PasswordParts,
  userId: string,
): Promise<boolean> {
  return env.oidc?.isOnly !== true || (await isPasswordAllowed(db, userId));
}

/** The environment decides about passwords. */
export type PasswordParts = Pick<ServiceParts, "db"> & {
  readonly env: { readonly oidc: { readonly isOnly: boolean } | undefined };
};
