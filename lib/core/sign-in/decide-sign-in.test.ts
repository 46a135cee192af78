import { expect, test } from "vitest";
import { z } from "zod";
import { oidcVariables, requireWholeOidc, toOidcEnv } from "#lib/core/env/oidc-env.ts";
import { decideSignIn } from "./decide-sign-in.ts";

const schema = z.object(oidcVariables);
const client = {
  CATCHMENT_OIDC_ISSUER: "https://id.example.com",
  CATCHMENT_OIDC_CLIENT_ID: "catchment",
  CATCHMENT_OIDC_CLIENT_SECRET: "s3cret",
};

function rulesOf(variables: Record<string, string>) {
  const env = toOidcEnv(schema.parse({ ...client, ...variables }));
  if (env === undefined) throw new Error("not configured");
  return env.rules;
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
    email: "ada@example.com",
    name: "Ada Lovelace",
    role: null,
  });
});

test.each([
  [undefined, true, "email_taken"],
  ["true", false, "email_taken"],
  ["true", "true", "email_taken"],
  ["true", undefined, "email_taken"],
  ["true", true, "link"],
])("linking allowed: %s, email verified: %s → %s", (allowed, verified, expected) => {
  const rules = rulesOf(allowed === undefined ? {} : { CATCHMENT_OIDC_LINK_BY_EMAIL: allowed });
  const claims = { ...ada, email_verified: verified };
  const decision = decideSignIn(rules, claims, { byIdentity: null, byEmail: "user" });
  expect(decision.ok ? decision.kind : decision.reason).toBe(expected);
});

test("a known identity is the same person, whatever its email says now", () => {
  const known = { byIdentity: "ada", byEmail: "someone else" };
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
  [[], undefined],
  [["Staff"], undefined],
  [["member"], undefined],
  [undefined, undefined],
  [{ staff: true }, undefined],
  [[["staff"]], undefined],
])("the groups %j give the role %s", (given, role) => {
  const decision = decideSignIn(
    rulesOf(groups),
    { ...ada, groups: given },
    { byIdentity: "ada", byEmail: null },
  );
  if (role === undefined) expect(decision).toEqual({ ok: false, reason: "no_role" });
  else expect(decision).toMatchObject({ ok: true, role });
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
  ).toEqual({ ok: false, reason: "no_role" });
});

test("only verified emails of the allowed domains sign in, also people who are known", () => {
  const rules = rulesOf({ CATCHMENT_OIDC_ALLOWED_DOMAINS: " Example.com , @example.org" });
  const known = { byIdentity: "ada", byEmail: null };
  expect(decideSignIn(rules, ada, known)).toMatchObject({ ok: true });
  for (const claims of [
    { ...ada, email_verified: false },
    { ...ada, email: "ada@sub.example.com" },
    { ...ada, email: "ada@notexample.com" },
    { ...ada, email: undefined },
  ])
    expect(decideSignIn(rules, claims, known)).toEqual({ ok: false, reason: "domain" });
});

test("a person without a usable email isn't created", () => {
  const rules = rulesOf({ CATCHMENT_OIDC_SIGN_UP: "true" });
  for (const email of [undefined, "", "not an email", ["ada@example.com"]])
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
  { CATCHMENT_OIDC_ONLY: "yes" },
  { CATCHMENT_OIDC_ID_TOKEN_ALGORITHM: "none" },
  { CATCHMENT_OIDC_ALLOWED_DOMAINS: "example com" },
])("%j is rejected", (variables) => {
  expect(schema.safeParse({ ...client, ...variables }).success).toBe(false);
});

test.each([
  [{ CATCHMENT_OIDC_CLIENT_ID: "x" }, "CATCHMENT_OIDC_ISSUER"],
  [{ CATCHMENT_OIDC_ONLY: "true" }, "CATCHMENT_OIDC_ISSUER"],
  [{ CATCHMENT_OIDC_ISSUER: "https://id.example.com" }, "CATCHMENT_OIDC_CLIENT_ID"],
  [{ ...client, CATCHMENT_OIDC_CLIENT_SECRET: undefined }, "CATCHMENT_OIDC_CLIENT_SECRET"],
  [{ ...client, CATCHMENT_OIDC_ROLES: "staff=member" }, "CATCHMENT_OIDC_ROLE_CLAIM"],
])("%j needs %s too", (variables, missing) => {
  const names = requireWholeOidc(schema.parse(variables)).map(({ variable }) => variable);
  expect(names).toContain(missing);
});

test("the issuer may be pasted with its well-known path, and be http on this machine only", () => {
  const issuerOf = (issuer: string) =>
    toOidcEnv(schema.parse({ ...client, CATCHMENT_OIDC_ISSUER: issuer }))?.issuer;
  expect(issuerOf("https://id.example.com/realms/acme/.well-known/openid-configuration")).toBe(
    "https://id.example.com/realms/acme",
  );
  expect(issuerOf("http://127.0.0.1:9000")).toBe("http://127.0.0.1:9000");
});
