import { z } from "zod";
import { parseAddress } from "#lib/core/sending/address/classify-address.ts";
import { isRole, type Role, roles } from "#lib/schema/account/role.ts";
import { accountSlugSchema } from "#lib/schema/account/setup.ts";
import { displayName } from "#lib/schema/field/common.ts";

const authMethods = ["client_secret_basic", "client_secret_post", "none"] as const;
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
] as const;

/** Sign-in with the operator's identity provider, from the variables `CATCHMENT_OIDC_…`. */
export type OidcEnv = {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  /** How the provider is called on the sign-in page. */
  readonly name: string;
  readonly scope: string;
  readonly tokenAuthMethod: (typeof authMethods)[number];
  readonly idTokenAlgorithm: string;
  /** Passwords, passkeys, and resets are off. */
  readonly isOnly: boolean;
  /** The account whose members sign in. Undefined: the oldest one. */
  readonly account: string | undefined;
  readonly rules: OidcRules;
};

/** The operator's decisions about people who sign in. */
export type OidcRules = {
  /** The claim that has the groups. Undefined: roles are managed in Catchment. */
  readonly roleClaim: string | undefined;
  /** Undefined: a group has the name of its role. */
  readonly roleOfGroup: ReadonlyMap<string, Role> | undefined;
  /** A person who isn't known yet becomes a member. */
  readonly canSignUp: boolean;
  /** An existing user with the same verified email is the same person. */
  readonly linksByEmail: boolean;
  /** An email counts as verified if the issuer says nothing about it. */
  readonly trustsEmail: boolean;
  /** Lower case. Empty: all. */
  readonly allowedDomains: readonly string[];
};

const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true");
const domain = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

export const oidcVariables = {
  CATCHMENT_OIDC_ISSUER: z
    .string()
    .transform((text) => text.trim().replace(/\/\.well-known\/openid-configuration$/, ""))
    .refine(isIssuer, "must be an https: URL, like https://id.example.com")
    .optional(),
  CATCHMENT_OIDC_CLIENT_ID: z.string().trim().optional(),
  CATCHMENT_OIDC_CLIENT_SECRET: z.string().optional(),
  CATCHMENT_OIDC_NAME: displayName.default("single sign-on"),
  CATCHMENT_OIDC_SCOPE: z
    .string()
    .trim()
    .refine((text) => text.split(/\s+/).includes("openid"), "must contain openid")
    .default("openid email profile"),
  CATCHMENT_OIDC_TOKEN_AUTH_METHOD: z
    .enum(authMethods, `must be one of ${authMethods.join(", ")}`)
    .default("client_secret_basic"),
  CATCHMENT_OIDC_ID_TOKEN_ALGORITHM: z
    .enum(algorithms, `must be one of ${algorithms.join(", ")}`)
    .default("RS256"),
  CATCHMENT_OIDC_ROLE_CLAIM: z.string().trim().optional(),
  CATCHMENT_OIDC_ROLES: z
    .string()
    .transform((text, context) => {
      const parsed = parseRoles(text);
      if (typeof parsed !== "string") return parsed;
      context.addIssue({ code: "custom", message: parsed });
      return z.NEVER;
    })
    .optional(),
  CATCHMENT_OIDC_ACCOUNT: accountSlugSchema.optional(),
  CATCHMENT_OIDC_ALLOWED_DOMAINS: z
    .string()
    .transform((text) => splitList(text.toLowerCase()).map((name) => name.replace(/^@/, "")))
    .refine(
      (names) => names.every((name) => domain.test(name)),
      "must be domains, separated by commas, like example.com, example.org",
    )
    .default([]),
  CATCHMENT_OIDC_SIGN_UP: flag.default(false),
  CATCHMENT_OIDC_LINK_BY_EMAIL: flag.default(false),
  CATCHMENT_OIDC_TRUST_EMAIL: flag.default(false),
  CATCHMENT_OIDC_ONLY: flag.default(false),
};

const variables = z.object(oidcVariables);
type Variables = z.infer<typeof variables>;

/** Undefined: people sign in with a password or a passkey. */
export function toOidcEnv(v: Variables): OidcEnv | undefined {
  if (v.CATCHMENT_OIDC_ISSUER === undefined || v.CATCHMENT_OIDC_CLIENT_ID === undefined)
    return undefined;
  return {
    issuer: v.CATCHMENT_OIDC_ISSUER,
    clientId: v.CATCHMENT_OIDC_CLIENT_ID,
    clientSecret: v.CATCHMENT_OIDC_CLIENT_SECRET,
    name: v.CATCHMENT_OIDC_NAME,
    scope: v.CATCHMENT_OIDC_SCOPE,
    tokenAuthMethod: v.CATCHMENT_OIDC_TOKEN_AUTH_METHOD,
    idTokenAlgorithm: v.CATCHMENT_OIDC_ID_TOKEN_ALGORITHM,
    isOnly: v.CATCHMENT_OIDC_ONLY,
    account: v.CATCHMENT_OIDC_ACCOUNT,
    rules: {
      roleClaim: v.CATCHMENT_OIDC_ROLE_CLAIM,
      roleOfGroup: v.CATCHMENT_OIDC_ROLES,
      canSignUp: v.CATCHMENT_OIDC_SIGN_UP,
      linksByEmail: v.CATCHMENT_OIDC_LINK_BY_EMAIL,
      trustsEmail: v.CATCHMENT_OIDC_TRUST_EMAIL,
      allowedDomains: v.CATCHMENT_OIDC_ALLOWED_DOMAINS,
    },
  };
}

/** Settings that would silently do nothing, or less than they seem to. */
export function requireWholeOidc(v: Variables) {
  const problems: { variable: string; message: string }[] = [];
  const require = (isMissing: boolean, variable: string, because: string) => {
    if (isMissing) problems.push({ variable, message: `must be set, because ${because}` });
  };
  const hasIssuer = v.CATCHMENT_OIDC_ISSUER !== undefined;
  const hasClient = v.CATCHMENT_OIDC_CLIENT_ID !== undefined;
  require(hasIssuer && !hasClient, "CATCHMENT_OIDC_CLIENT_ID", "CATCHMENT_OIDC_ISSUER is");
  require(!hasIssuer &&
    (hasClient ||
      v.CATCHMENT_OIDC_ONLY ||
      v.CATCHMENT_OIDC_TRUST_EMAIL ||
      v.CATCHMENT_OIDC_ROLE_CLAIM !==
        undefined), "CATCHMENT_OIDC_ISSUER", "another CATCHMENT_OIDC_ variable is");
  require(hasIssuer &&
    v.CATCHMENT_OIDC_CLIENT_SECRET === undefined &&
    v.CATCHMENT_OIDC_TOKEN_AUTH_METHOD !==
      "none", "CATCHMENT_OIDC_CLIENT_SECRET", "CATCHMENT_OIDC_TOKEN_AUTH_METHOD isn't none");
  require(v.CATCHMENT_OIDC_ROLES !== undefined &&
    v.CATCHMENT_OIDC_ROLE_CLAIM ===
      undefined, "CATCHMENT_OIDC_ROLE_CLAIM", "CATCHMENT_OIDC_ROLES is");
  if (v.CATCHMENT_OIDC_TRUST_EMAIL && isOpenToAll(v.CATCHMENT_OIDC_ISSUER ?? ""))
    problems.push({
      variable: "CATCHMENT_OIDC_TRUST_EMAIL",
      message:
        "can't be true with an issuer of every tenant, because each of them may name any email; " +
        "put the id of your tenant into CATCHMENT_OIDC_ISSUER",
    });
  return problems;
}

/** Entra ID signs in people of every organization there. */
function isOpenToAll(issuer: string): boolean {
  return /^\/(common|organizations|consumers)(\/|$)/.test(URL.parse(issuer)?.pathname ?? "");
}

/** https, or http on this machine. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return false;
  if (url.protocol === "https:") return true;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHere = host === "localhost" || parseAddress(host)?.range() === "loopback";
  return url.protocol === "http:" && isHere;
}

/**
 * `group=role, "group, with commas"=role`. The role follows the last equals sign. A quote in quotes is doubled.
 */
function parseRoles(text: string): ReadonlyMap<string, Role> | string {
  const map = new Map<string, Role>();
  for (const entry of splitEntries(text)) {
    const end = entry.lastIndexOf("=");
    const [name, role] = [entry.slice(0, Math.max(end, 0)).trim(), entry.slice(end + 1).trim()];
    const quoted = /^"((?:[^"]|"")*)"$/.exec(name)?.[1];
    const group = quoted?.replaceAll('""', '"') ?? name;
    if (group === "" || !isRole(role))
      return (
        `must be group=role, separated by commas; the roles are ${roles.join(", ")}. ` +
        'A group whose name has commas is in quotes: "CN=Admins,DC=example,DC=com"=admin'
      );
    // The first part of a distinguished name without quotes, such as CN=admin,OU=Groups=admin.
    if (quoted === undefined && /^(cn|ou|dc|uid|o)$/i.test(group))
      return `names a group ${group}. A group whose name has commas is in quotes: "CN=Admins,DC=example,DC=com"=admin`;
    map.set(group, role);
  }
  return map.size === 0 ? "must name at least one group" : map;
}

/** Splits at commas that aren't in quotes. */
function splitEntries(text: string): readonly string[] {
  const entries = text.match(/(?:"(?:[^"]|"")*"|[^,])+/g) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

function splitList(text: string): readonly string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
