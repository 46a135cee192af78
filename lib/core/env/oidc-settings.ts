import { z } from "zod";
import { parseAddress } from "#lib/core/sending/address/classify-address.ts";
import { isRole, type Role, roles } from "#lib/schema/account/role.ts";
import { accountSlugSchema } from "#lib/schema/account/setup.ts";
import { displayName } from "#lib/schema/field/common.ts";
import { defineGroup, flag, ifSet, oneOf, readBy, setting, type Values } from "./setting.ts";

const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
] as const;

const domain = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

export const oidcSettings = defineGroup({
  about:
    "Sign-in with an identity provider (OpenID Connect): see docs/sign-in.md. The redirect URI to register " +
    "there is CATCHMENT_PUBLIC_URL/api/auth/callback/oidc",
  roles: ["web"],
  settings: {
    issuer: setting(
      "CATCHMENT_OIDC_ISSUER",
      z
        .string()
        .transform((text) => text.trim().replace(/\/\.well-known\/openid-configuration$/, ""))
        .refine(isIssuer, "must be an https: URL, like https://id.example.com")
        .optional(),
      "the issuer's URL, whose `/.well-known/openid-configuration` is read",
    ),
    clientId: setting(
      "CATCHMENT_OIDC_CLIENT_ID",
      z.string().trim().optional(),
      "the client id of the application that you registered",
    ),
    /** Undefined: a public client. */
    clientSecret: setting(
      "CATCHMENT_OIDC_CLIENT_SECRET",
      z.string().optional(),
      "its client secret",
      { isSecret: true },
    ),
    name: setting(
      "CATCHMENT_OIDC_NAME",
      displayName.default("single sign-on"),
      'the button says "Continue with …"',
    ),
    scope: setting(
      "CATCHMENT_OIDC_SCOPE",
      z
        .string()
        .trim()
        .refine((text) => text.split(/\s+/).includes("openid"), "must contain openid")
        .default("openid email profile"),
      "the scopes to ask for; many providers send groups only with `groups`",
    ),
    tokenAuthMethod: setting(
      "CATCHMENT_OIDC_TOKEN_AUTH_METHOD",
      oneOf(["client_secret_basic", "client_secret_post", "none"]).default("client_secret_basic"),
      "how Catchment authenticates at the token endpoint: also `client_secret_post`, or `none` for a public " +
        "client",
    ),
    idTokenAlgorithm: setting(
      "CATCHMENT_OIDC_ID_TOKEN_ALGORITHM",
      oneOf(algorithms).default("RS256"),
      "the algorithm that signs ID tokens; every other one is rejected",
    ),
    /** Undefined: roles are managed in Catchment. */
    roleClaim: setting(
      "CATCHMENT_OIDC_ROLE_CLAIM",
      z.string().trim().optional(),
      "the claim with a person's groups, such as `groups`, `realm_access.roles`, or " +
        "`https://example.com/roles`. A person without a role can't sign in",
    ),
    roleOfGroup: setting(
      "CATCHMENT_OIDC_ROLES",
      readBy(readRoles).optional(),
      "the role of each group: `hook-admins=admin, staff=member`. A person with several gets the highest. " +
        'A name with commas is in quotes: `"CN=Admins,DC=example,DC=com"=admin`',
      { unset: "groups named `viewer`, `member`, `admin`, `owner`" },
    ),
    account: setting(
      "CATCHMENT_OIDC_ACCOUNT",
      accountSlugSchema.optional(),
      "the slug of the account whose members sign in",
      { unset: "the oldest account" },
    ),
    /** Lower case. Empty: all. */
    allowedDomains: setting(
      "CATCHMENT_OIDC_ALLOWED_DOMAINS",
      z
        .string()
        .transform((text) => splitList(text.toLowerCase()).map((name) => name.replace(/^@/, "")))
        .refine(
          (names) => names.every((name) => domain.test(name)),
          "must be domains, separated by commas, like example.com, example.org",
        )
        .default([]),
      "domains of emails that may sign in: `example.com, example.org`. An email that the provider doesn't " +
        "call verified is in no domain",
      { unset: "all" },
    ),
    canSignUp: setting(
      "CATCHMENT_OIDC_SIGN_UP",
      flag.default(false),
      "whether people who aren't known yet become members",
    ),
    linksByEmail: setting(
      "CATCHMENT_OIDC_LINK_BY_EMAIL",
      flag.default(false),
      "whether a person is the existing user with the same email, if the provider calls it verified and the " +
        "user has confirmed it",
    ),
    trustsEmail: setting(
      "CATCHMENT_OIDC_TRUST_EMAIL",
      flag.default(false),
      "whether an email counts as verified if the provider says nothing about it, as " +
        "[Entra ID](sign-in.md#entra-id) does",
    ),
    isOnly: setting(
      "CATCHMENT_OIDC_ONLY",
      flag.default(false),
      "whether passwords, resets by email, and passkeys are off",
    ),
  },
  // Settings that would silently do nothing, or less than they seem to.
  check: (given) => {
    const { issuer, clientId, clientSecret, roleClaim, trustsEmail } = given;
    const hasIssuer = issuer !== undefined;
    const needsIssuer =
      clientId !== undefined || given.isOnly || trustsEmail || roleClaim !== undefined;
    return {
      clientId:
        hasIssuer && clientId === undefined && "must be set, because CATCHMENT_OIDC_ISSUER is",
      issuer:
        !hasIssuer && needsIssuer && "must be set, because another CATCHMENT_OIDC_ variable is",
      clientSecret:
        hasIssuer &&
        clientSecret === undefined &&
        given.tokenAuthMethod !== "none" &&
        "must be set, because CATCHMENT_OIDC_TOKEN_AUTH_METHOD isn't none",
      roleClaim:
        given.roleOfGroup !== undefined &&
        roleClaim === undefined &&
        "must be set, because CATCHMENT_OIDC_ROLES is",
      trustsEmail:
        trustsEmail &&
        isOpenToAll(issuer ?? "") &&
        "can't be true with an issuer of every tenant, because each of them may name any email; " +
          "put the id of your tenant into CATCHMENT_OIDC_ISSUER",
    };
  },
});

type Given = Values<typeof oidcSettings.settings>;
export type OidcEnv = NonNullable<ReturnType<typeof toOidcEnv>>;

/** The operator's decisions about people who sign in. */
export type OidcRules = Pick<
  Given,
  "roleClaim" | "roleOfGroup" | "canSignUp" | "linksByEmail" | "trustsEmail" | "allowedDomains"
>;

/** Undefined: people sign in with a password or a passkey. */
export function toOidcEnv(given: Given) {
  return ifSet(given, "issuer", "clientId");
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
function readRoles(text: string): ReadonlyMap<string, Role> | string {
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
