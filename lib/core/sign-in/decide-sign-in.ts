import type { OidcRules } from "#lib/core/env/oidc-env.ts";
import { isAtLeast, isRole, type Role } from "#lib/schema/account/role.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";

/** The verified claims of an identity provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** The users that could be this person. Null: none. */
export type KnownUsers = {
  /** The user who signed in with this issuer and subject before. */
  readonly byIdentity: string | null;
  /** The user with the same email. */
  readonly byEmail: string | null;
};

type Accepted = {
  readonly ok: true;
  /** The role that the groups give. Null: roles are managed in Catchment. */
  readonly role: Role | null;
} & (
  | { readonly kind: "known"; readonly userId: string }
  | { readonly kind: "link"; readonly userId: string }
  | { readonly kind: "create"; readonly email: string; readonly name: string }
);

export type RejectionReason =
  | "no_role"
  | "domain"
  | "no_email"
  | "email_taken"
  | "sign_up_off"
  | "no_account";

export type SignInDecision = Accepted | { readonly ok: false; readonly reason: RejectionReason };

/**
 * Decides whether a person may sign in, and who they are. The groups decide first: a person who lost the
 * last one with a role is rejected, known or not. An email alone never makes two people one: it has
 * to be verified by the issuer, and the operator has to allow it.
 */
export function decideSignIn(rules: OidcRules, claims: Claims, known: KnownUsers): SignInDecision {
  const role = rules.roleClaim === undefined ? null : findRole(rules, claims);
  if (role === undefined) return { ok: false, reason: "no_role" };
  const email = readEmail(claims);
  const isVerified = claims.email_verified === true;
  if (!isAllowedDomain(rules, isVerified ? email : null)) return { ok: false, reason: "domain" };
  if (known.byIdentity !== null) return { ok: true, kind: "known", userId: known.byIdentity, role };
  if (email === null) return { ok: false, reason: "no_email" };
  if (known.byEmail !== null) {
    if (!rules.linksByEmail || !isVerified) return { ok: false, reason: "email_taken" };
    return { ok: true, kind: "link", userId: known.byEmail, role };
  }
  if (!rules.canSignUp) return { ok: false, reason: "sign_up_off" };
  return { ok: true, kind: "create", email, name: readName(claims, email), role };
}

/** The email in its canonical form. Null: none that Catchment can use. */
export function readEmail({ email }: Claims): string | null {
  const parsed = emailSchema.safeParse(email);
  return parsed.success ? parsed.data : null;
}

/** The highest role of the person's groups. Undefined: none has one. */
function findRole({ roleClaim = "", roleOfGroup }: OidcRules, claims: Claims): Role | undefined {
  const found = readGroups(claims, roleClaim)
    .map((group) => (roleOfGroup === undefined ? group : roleOfGroup.get(group)))
    .filter((role): role is Role => role !== undefined && isRole(role));
  return found.reduce<Role | undefined>(
    (highest, role) => (highest === undefined || isAtLeast(role, highest) ? role : highest),
    undefined,
  );
}

/** A claim's name may have dots itself, such as a URL. Otherwise they lead into objects. */
function readGroups(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : readPath(claims, name.split("."));
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return [];
  return value.filter((group): group is string => typeof group === "string");
}

function readPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return readPath((value as Claims)[name], rest);
}

/** An email that isn't verified is in no domain. */
function isAllowedDomain({ allowedDomains }: OidcRules, email: string | null): boolean {
  if (allowedDomains.length === 0) return true;
  return email !== null && allowedDomains.includes(email.slice(email.lastIndexOf("@") + 1));
}

function readName({ name, preferred_username: username }: Claims, email: string): string {
  const given = [name, username, email].find(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  return (given ?? email)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ")
    .trim()
    .slice(0, 200);
}
