import { expect, test } from "vitest";
import { parseEnv } from "#lib/core/env/parse-env.ts";
import { decideSignIn } from "./decide-sign-in.ts";

const client = {
  CATCHMENT_OIDC_ISSUER: "https://id.example.com",
  CATCHMENT_OIDC_CLIENT_ID: "catchment",
  CATCHMENT_OIDC_CLIENT_SECRET: "s3cret",
};

function rulesOf(variables: Record<string, string>) {
  const result = parseEnv({ ...client, ...variables });
  if (!result.ok || result.env.oidc === undefined) throw new Error("not configured");
  return result.env.oidc;
}

/** The variables that are wrong. */
function findWrong(variables: Record<string, string | undefined>): readonly string[] {
  const result = parseEnv(variables);
  return result.ok ? [] : result.problems.map(({ variable }) => variable);
}

const unknown = { byIdentity: null, byEmail: null };
const ada = {
  sub: "1",
  name: "Ada Lovelace",
  email: "Ada@Example.com",
  email_verified: true,
  groups: ["everyone", "hooks=admins", "staff"],
};
const groups = {
  CATCHMENT_OIDC_ROLE_CLAIM: "groups",
  CATCHMENT_OIDC_ROLES: "hooks=admins=admin, staff = member,owners=owner",
};

test("an unknown person doesn't sign up unless the operator allows it", () => {
  expect(decideSignIn(rulesOf({}), ada, unknown)).toEqual({ ok: false, reason: "sign_up_off" });
  expect(decideSignIn(rulesOf({ CATCHMENT_OIDC_SIGN_UP: "true" }), ada, unknown)).toEqual({
    ok: true,
    kind: "create",
    verifiedEmail: "ada@example.com",
    email: "ada@example.com",
    name: "Ada Lovelace",
    role: null,
  });
});

const link = { CATCHMENT_OIDC_LINK_BY_EMAIL: "true" };
const trust = { ...link, CATCHMENT_OIDC_TRUST_EMAIL: "true" };

/** The claims of the issuer about the email, and their worth without and with trust in it. */
test.each([
  [{ email_verified: true }, "link", "link"],
  [{ email_verified: "true" }, "link", "link"],
  [{ email_verified: "True" }, "link", "link"],
  [{ email_verified: 1 }, "link", "link"],
  [{ email_verified: "1" }, "link", "link"],
  [{ email_verified: undefined }, "email_unverified", "link"],
  [{ email_verified: null }, "email_unverified", "link"],
  [{ email_verified: false }, "email_denied", "email_denied"],
  [{ email_verified: "false" }, "email_denied", "email_denied"],
  [{ email_verified: 0 }, "email_denied", "email_denied"],
  [{ email_verified: "0" }, "email_denied", "email_denied"],
  [{ email_verified: "" }, "email_denied", "email_denied"],
  [{ email_verified: "yes" }, "email_denied", "email_denied"],
  [{ email_verified: {} }, "email_denied", "email_denied"],
  [{ email_verified: [true] }, "email_denied", "email_denied"],
  [{ email_verified: undefined, xms_edov: true }, "link", "link"],
  [{ email_verified: undefined, xms_edov: 1 }, "link", "link"],
  [{ email_verified: undefined, xms_edov: "1" }, "link", "link"],
  [{ email_verified: undefined, xms_edov: "true" }, "link", "link"],
  [{ email_verified: undefined, xms_edov: false }, "email_denied", "email_denied"],
  [{ email_verified: undefined, xms_edov: 0 }, "email_denied", "email_denied"],
  [{ email_verified: true, xms_edov: "0" }, "email_denied", "email_denied"],
])("an issuer that says %j: %s, and with trust: %s", (said, without, withTrust) => {
  const known = { byIdentity: null, byEmail: { userId: "user", isVerified: true } };
  const decide = (variables: Record<string, string>) => {
    const decision = decideSignIn(rulesOf(variables), { ...ada, ...said }, known);
    return decision.ok ? decision.kind : decision.reason;
  };
  expect([decide(link), decide(trust)]).toEqual([without, withTrust]);
  expect(decide({})).toBe("email_taken");
  const domains = { CATCHMENT_OIDC_ALLOWED_DOMAINS: "example.com" };
  expect(decide({ ...domains, ...link })).toBe(without);
});

test("a user whose email no one has confirmed is linked with no one", () => {
  const byEmail = { userId: "user", isVerified: false };
  for (const variables of [link, trust])
    expect(decideSignIn(rulesOf(variables), ada, { byIdentity: null, byEmail })).toEqual({
      ok: false,
      reason: "user_unverified",
    });
});

test("a known identity is the same person, whatever its email says now", () => {
  const known = { byIdentity: "ada", byEmail: { userId: "eve", isVerified: true } };
  for (const claims of [ada, { sub: "1" }, { ...ada, email_verified: false }])
    expect(decideSignIn(rulesOf({}), claims, known)).toMatchObject({
      kind: "known",
      userId: "ada",
    });
});

test.each([
  [["staff"], "member"],
  [["staff", "hooks=admins"], "admin"],
  [["hooks=admins", "staff", "owners"], "owner"],
  ["staff", "member"],
  ["everyone,hooks=admins", "admin"],
  ["everyone; staff", "member"],
  ["everyone\nstaff", "member"],
  ['["everyone","owners"]', "owner"],
  ["[everyone, staff]", "member"],
  [[{ name: "staff" }, { name: "x" }], "member"],
  [{ staff: true }, "member"],
  [{ owners: { "3141": "acme.example.com" } }, "owner"],
  [{ owners: false, staff: "true" }, "member"],
  [{ roles: ["staff"] }, "member"],
  [{ roles: "x,staff" }, "member"],
  [{ owners: false }, "no_role"],
  [{ owners: {} }, "no_role"],
  [{ owners: { roles: ["x"] } }, "no_role"],
  [{ owners: [] }, "no_role"],
  [{ owners: 0 }, "no_role"],
  ["not staff", "no_role"],
  [[], "no_role"],
  [["Staff"], "no_role"],
  [["member"], "no_role"],
  [["everyone,staff"], "no_role"],
  [[["staff"]], "no_role"],
  [7, "no_role"],
  ["", "no_role"],
  [undefined, "no_groups"],
  [null, "no_groups"],
])("the groups %j give: %s", (given, expected) => {
  const decision = decideSignIn(
    rulesOf(groups),
    { ...ada, groups: given },
    { byIdentity: "ada", byEmail: null },
  );
  expect(decision.ok ? decision.role : decision.reason).toBe(expected);
});

test.each([
  ["realm_access.roles", { realm_access: { roles: ["x", "admin"] } }],
  ["realm_access", { realm_access: { roles: ["admin"] } }],
  ["resource_access.catchment.roles", { resource_access: { catchment: { roles: ["admin"] } } }],
  ["resource_access.my.app.roles", { resource_access: { "my.app": { roles: ["admin"] } } }],
  ["https://acme.example.com/roles", { "https://acme.example.com/roles": ["admin"] }],
  ["https://acme.example.com/app.roles", { "https://acme.example.com/app": { roles: ["admin"] } }],
  [
    "urn:zitadel:iam:org:project:roles",
    { "urn:zitadel:iam:org:project:roles": { admin: { "1": "a" } } },
  ],
  ["cognito:groups", { "cognito:groups": ["admin"] }],
  ["custom:groups", { "custom:groups": "[x, admin]" }],
  ["roles", { roles: "admin" }],
])("the claim %s of a real issuer is found", (name, claims) => {
  const decision = decideSignIn(rulesOf({ CATCHMENT_OIDC_ROLE_CLAIM: name }), claims, {
    byIdentity: "ada",
    byEmail: null,
  });
  expect(decision).toMatchObject({ ok: true, role: "admin" });
});

test.each([
  [{ _claim_names: { groups: "src1" }, _claim_sources: {} }, "groups_overage"],
  [{ hasgroups: true }, "groups_overage"],
  [{ hasgroups: "true" }, "groups_overage"],
  [{ groups: [], _claim_names: { groups: "src1" } }, "groups_overage"],
  [{ _claim_names: { other: "src1" } }, "no_groups"],
  [{ _claim_names: "groups" }, "no_groups"],
  [{ hasgroups: false }, "no_groups"],
])("an issuer that leaves the groups out with %j: %s", (claims, reason) => {
  const known = { byIdentity: "ada", byEmail: null };
  expect(decideSignIn(rulesOf(groups), claims, known)).toEqual({ ok: false, reason });
});

test.each([
  ['"CN=Hook admins,OU=Groups,DC=example,DC=com"=admin, staff=member', "admin"],
  ['staff=member,"a ""quoted"", name"=owner', "owner"],
  ["acme.hooks.admins=admin", "admin"],
  ["/acme/hooks=admin", "admin"],
  ["x=y=admin", "admin"],
])("the roles %j name a group with commas, dots, or quotes", (CATCHMENT_OIDC_ROLES, role) => {
  const names = ["CN=Hook admins,OU=Groups,DC=example,DC=com", 'a "quoted", name', "x=y"];
  const rules = rulesOf({ CATCHMENT_OIDC_ROLE_CLAIM: "groups", CATCHMENT_OIDC_ROLES });
  const known = { byIdentity: "ada", byEmail: null };
  const given = [...names, "acme.hooks.admins", "/acme/hooks"];
  expect(decideSignIn(rules, { groups: given }, known)).toMatchObject({ ok: true, role });
  // One text that is a name isn't taken apart.
  for (const name of given)
    if (rules.roleOfGroup?.has(name) === true)
      expect(decideSignIn(rules, { groups: name }, known)).toMatchObject({ role });
});

test("a claim's name can be a path, or have dots itself, and groups can be named like roles", () => {
  const known = { byIdentity: "ada", byEmail: null };
  const path = rulesOf({ CATCHMENT_OIDC_ROLE_CLAIM: "realm_access.roles" });
  expect(decideSignIn(path, { realm_access: { roles: ["admin"] } }, known)).toMatchObject({
    role: "admin",
  });
  const url = "https://example.com/roles";
  expect(
    decideSignIn(rulesOf({ CATCHMENT_OIDC_ROLE_CLAIM: url }), { [url]: ["viewer"] }, known),
  ).toMatchObject({ role: "viewer" });
  expect(
    decideSignIn(rulesOf({ CATCHMENT_OIDC_ROLE_CLAIM: "constructor.name" }), {}, known),
  ).toEqual({ ok: false, reason: "no_groups" });
});

test("only verified emails of the allowed domains sign in, also people who are known", () => {
  const rules = rulesOf({ CATCHMENT_OIDC_ALLOWED_DOMAINS: " Example.com , @example.org" });
  const known = { byIdentity: "ada", byEmail: null };
  expect(decideSignIn(rules, ada, known)).toMatchObject({ ok: true });
  for (const [said, reason] of [
    [{ email_verified: false }, "email_denied"],
    [{ email_verified: undefined }, "email_unverified"],
    [{ email: "ada@sub.example.com" }, "domain"],
    [{ email: "ada@notexample.com" }, "domain"],
    [{ email: undefined }, "no_email"],
  ] as const)
    expect(decideSignIn(rules, { ...ada, ...said }, known)).toEqual({ ok: false, reason });
});

test("a person without a usable email isn't created", () => {
  const rules = rulesOf({ CATCHMENT_OIDC_SIGN_UP: "true" });
  for (const email of [undefined, "", "not an email", ["ada@example.com"], "a\0@example.com"])
    expect(decideSignIn(rules, { ...ada, email }, unknown)).toEqual({
      ok: false,
      reason: "no_email",
    });
});

test.each([
  { CATCHMENT_OIDC_ISSUER: "http://id.example.com" },
  { CATCHMENT_OIDC_ISSUER: "https://id.example.com?x=1" },
  { CATCHMENT_OIDC_SCOPE: "email" },
  { CATCHMENT_OIDC_ROLES: "staff=boss" },
  { CATCHMENT_OIDC_ROLES: "staff" },
  { CATCHMENT_OIDC_ROLES: "CN=Admins,OU=Groups=admin" },
  { CATCHMENT_OIDC_ROLES: "CN=admin,OU=Groups=admin" },
  { CATCHMENT_OIDC_TRUST_EMAIL: "yes" },
  { CATCHMENT_OIDC_ONLY: "yes" },
  { CATCHMENT_OIDC_ID_TOKEN_ALGORITHM: "none" },
  { CATCHMENT_OIDC_ALLOWED_DOMAINS: "example com" },
])("%j is rejected", (variables) => {
  expect(findWrong({ ...client, ...variables })).toEqual(Object.keys(variables));
});

test.each([
  [{ CATCHMENT_OIDC_CLIENT_ID: "x" }, "CATCHMENT_OIDC_ISSUER"],
  [{ CATCHMENT_OIDC_ONLY: "true" }, "CATCHMENT_OIDC_ISSUER"],
  [{ CATCHMENT_OIDC_ISSUER: "https://id.example.com" }, "CATCHMENT_OIDC_CLIENT_ID"],
  [{ ...client, CATCHMENT_OIDC_CLIENT_SECRET: undefined }, "CATCHMENT_OIDC_CLIENT_SECRET"],
  [{ ...client, CATCHMENT_OIDC_ROLES: "staff=member" }, "CATCHMENT_OIDC_ROLE_CLAIM"],
  [{ CATCHMENT_OIDC_TRUST_EMAIL: "true" }, "CATCHMENT_OIDC_ISSUER"],
])("%j needs %s too", (variables, missing) => {
  expect(findWrong(variables)).toContain(missing);
});

test("the issuer may be pasted with its well-known path, and be http on this machine only", () => {
  const issuerOf = (issuer: string) => rulesOf({ CATCHMENT_OIDC_ISSUER: issuer }).issuer;
  expect(issuerOf("https://id.example.com/realms/acme/.well-known/openid-configuration")).toBe(
    "https://id.example.com/realms/acme",
  );
  expect(issuerOf("http://127.0.0.1:9000")).toBe("http://127.0.0.1:9000");
});

test.each(["common", "organizations", "consumers"])(
  "the emails of every tenant (%s) can't be trusted",
  (tenant) => {
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
    const read = (variables: Record<string, string>) =>
      findWrong({ ...client, CATCHMENT_OIDC_ISSUER: issuer, ...variables });
    expect(read({})).toEqual([]);
    expect(read({ CATCHMENT_OIDC_TRUST_EMAIL: "true" })).toEqual(["CATCHMENT_OIDC_TRUST_EMAIL"]);
  },
);

test("Azure AD B2C's list with one email is the email, and one with two is none", () => {
  const rules = rulesOf({ CATCHMENT_OIDC_SIGN_UP: "true" });
  const decide = (emails: unknown) => decideSignIn(rules, { sub: "1", emails }, unknown);
  expect(decide(["Ada@example.com"])).toMatchObject({ email: "ada@example.com" });
  for (const emails of [[], ["a@example.com", "b@example.com"], "a@example.com", [7]])
    expect(decide(emails)).toEqual({ ok: false, reason: "no_email" });
});
