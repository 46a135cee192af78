import { emailSchema } from "#lib/schema/account/sign-in.ts";

/** The verified claims of an identity provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The value of a claim. Its name may have dots itself, such as a URL, and so may the names of the objects that it
 * leads into: the longest name that exists counts. Undefined: there is none.
 */
export function readClaim(claims: unknown, name: string): unknown {
  return findValue(claims, name.split("."));
}

function findValue(value: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return value;
  if (!isObject(value)) return undefined;
  for (let end = path.length; end > 0; end -= 1) {
    const key = path.slice(0, end).join(".");
    const found = Object.hasOwn(value, key) ? findValue(value[key], path.slice(end)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The email in its canonical form: `email`, or the only one of `emails`, which Azure AD B2C sends. Null: none that
 * Catchment can use.
 */
export function readEmail({ email, emails }: Claims): string | null {
  const only = Array.isArray(emails) && emails.length === 1 ? emails[0] : undefined;
  const parsed = emailSchema.safeParse(email ?? only);
  return parsed.success ? parsed.data : null;
}

/**
 * True or false: the issuer says so, by `email_verified`, or by Entra ID's `xms_edov` (the owner of the email's domain
 * is verified). Undefined: it says nothing, as Entra ID does by default.
 */
export function readEmailVerified({ email_verified, xms_edov }: Claims): boolean | undefined {
  const said = [email_verified, xms_edov].filter((value) => value !== undefined && value !== null);
  return said.length === 0 ? undefined : said.every(isTrue);
}

/** Issuers write true as a boolean, a number, or text. Whatever else it is, it isn't true. */
export function isTrue(value: unknown): boolean {
  if (typeof value === "string") return /^(true|1)$/i.test(value.trim());
  return value === true || value === 1;
}

export function isObject(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The claims of a verified ID token, with what only the user info endpoint says: many issuers put the
 * email and the groups there alone. An email counts as verified only if the source that names it says
 * so: each may name another one.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const { xms_edov: _, ...merged }: Claims = { ...userInfo, ...idToken };
  const email = readEmail(merged);
  const said = [idToken, userInfo]
    .filter((source) => email !== null && readEmail(source) === email)
    .map(readEmailVerified)
    .filter((isVerified) => isVerified !== undefined);
  return { ...merged, email_verified: said.length === 0 ? undefined : said.includes(true) };
}
