import type { OidcRules } from "#lib/core/env/oidc-settings.ts";
import { isAtLeast, isRole, type Role } from "#lib/schema/account/role.ts";
import type { RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";
import { type Claims, readEmail, readEmailVerified } from "./claims.ts";
import { readGroups } from "./read-groups.ts";

/** The users that could be this person. Null: none. */
export type KnownUsers = {
  /** The user who signed in with this issuer and subject before. */
  readonly byIdentity: string | null;
  /** The user with the same email, and whether it was shown that they read its mailbox. */
  readonly byEmail: { readonly userId: string; readonly isVerified: boolean } | null;
};

type Accepted = {
  readonly ok: true;
  /** The role that the groups give. Null: roles are managed in Catchment. */
  readonly role: Role | null;
  /** The email that the issuer calls verified. Null: it calls none so. */
  readonly verifiedEmail: string | null;
} & (
  | { readonly kind: "known"; readonly userId: string }
  | { readonly kind: "link"; readonly userId: string }
  | { readonly kind: "create"; readonly email: string; readonly name: string }
);

type Rejected = { readonly ok: false; readonly reason: RejectionReason };

export type SignInDecision = Accepted | Rejected;

/**
 * Decides whether a person may sign in, and who they are. The groups decide first: a person who lost the
 * last one with a role is rejected, known or not. An email alone never makes two people one: it has to be verified
 * by the issuer, its mailbox has to be known as the user's, and the operator has to allow it.
 */
export function decideSignIn(rules: OidcRules, claims: Claims, known: KnownUsers): SignInDecision {
  const found = rules.roleClaim === undefined ? null : findRole(rules, claims);
  if (typeof found === "string" && !isRole(found)) return { ok: false, reason: found };
  const role = found;
  const email = readEmail(claims);
  const unverified = whyUnverified(rules, claims);
  const domain = checkDomain(rules, email, unverified);
  if (domain !== null) return { ok: false, reason: domain };
  const verifiedEmail = unverified === null ? email : null;
  const accepted = { ok: true, role, verifiedEmail } as const;
  const { byIdentity, byEmail } = known;
  if (byIdentity !== null) return { ...accepted, kind: "known", userId: byIdentity };
  if (email === null) return { ok: false, reason: "no_email" };
  if (byEmail !== null) {
    const reason = whyNotLinked(rules, unverified, byEmail.isVerified);
    if (reason !== null) return { ok: false, reason };
    return { ...accepted, kind: "link", userId: byEmail.userId };
  }
  if (!rules.canSignUp) return { ok: false, reason: "sign_up_off" };
  return { ...accepted, kind: "create", email, name: readName(claims, email) };
}

type NoRole = "no_role" | "no_groups" | "groups_overage";

/** The highest role of the person's groups, or why they have none. */
function findRole({ roleClaim = "", roleOfGroup }: OidcRules, claims: Claims): Role | NoRole {
  const roleOf = (group: string): Role | undefined => {
    if (roleOfGroup !== undefined) return roleOfGroup.get(group);
    return isRole(group) ? group : undefined;
  };
  const groups = readGroups(claims, roleClaim, (group) => roleOf(group) !== undefined);
  const [first, ...rest] = groups.names.map(roleOf).filter((role) => role !== undefined);
  if (first !== undefined)
    return rest.reduce((highest, role) => (isAtLeast(role, highest) ? role : highest), first);
  if (groups.state === "overage") return "groups_overage";
  return groups.state === "missing" ? "no_groups" : "no_role";
}

/** Null: the email is verified. An issuer that denies it is believed, even if the operator trusts its emails. */
function whyUnverified(
  { trustsEmail }: OidcRules,
  claims: Claims,
): "email_unverified" | "email_denied" | null {
  const isVerified = readEmailVerified(claims) ?? (trustsEmail ? true : undefined);
  if (isVerified === undefined) return "email_unverified";
  return isVerified ? null : "email_denied";
}

/** An email that isn't verified is in no domain. Null: it may sign in. */
function checkDomain(
  { allowedDomains }: OidcRules,
  email: string | null,
  unverified: RejectionReason | null,
): RejectionReason | null {
  if (allowedDomains.length === 0) return null;
  if (email === null) return "no_email";
  if (unverified !== null) return unverified;
  return allowedDomains.includes(email.slice(email.lastIndexOf("@") + 1)) ? null : "domain";
}

function whyNotLinked(
  { linksByEmail }: OidcRules,
  unverified: RejectionReason | null,
  isUserVerified: boolean,
): RejectionReason | null {
  if (!linksByEmail) return "email_taken";
  return unverified ?? (isUserVerified ? null : "user_unverified");
}

function readName({ name, preferred_username: username }: Claims, email: string): string {
  const given = [name, username, email].find(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  return (given ?? email)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
