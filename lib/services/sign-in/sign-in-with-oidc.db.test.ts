import { beforeAll, expect, it, vi } from "vitest";
import { parseEnv } from "#lib/core/env/parse-env.ts";
import { insertAccount } from "#lib/db/accounts/accounts.ts";
import { markAccountDeleted } from "#lib/db/accounts/delete-account.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { createSession, listSessions } from "#lib/db/accounts/sessions.ts";
import { findUserCredentials, insertUser } from "#lib/db/accounts/users.ts";
import { addMembership } from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { resetPassword } from "#lib/db/sign-in/password-resets.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ensureFirstOwner } from "#lib/services/account/first-owner.ts";
import { hashPassword } from "#lib/services/account/passwords.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { signInWithOidc } from "./sign-in-with-oidc.ts";

const { db } = withDatabase({ poolSize: 8 });
const owner = { email: "ada@example.com", password: "correct horse battery" };
const browser = { userAgent: "", address: null };
const issuer = "https://id.example.test";
const groups = {
  CATCHMENT_OIDC_ROLE_CLAIM: "groups",
  CATCHMENT_OIDC_ROLES: "admins=admin,staff=member,owners=owner",
  CATCHMENT_OIDC_SIGN_UP: "true",
};

beforeAll(async () => {
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
});

async function signIn(claims: Record<string, unknown>, variables: Record<string, string> = groups) {
  const read = parseEnv({
    CATCHMENT_OIDC_ISSUER: issuer,
    CATCHMENT_OIDC_CLIENT_ID: "catchment",
    CATCHMENT_OIDC_CLIENT_SECRET: "secret",
    ...variables,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const parts = { db, env: read.env, sealer: testSealer };
  return await signInWithOidc(parts, { iss: issuer, ...claims }, browser, null);
}

async function roleOf(email: string): Promise<string | undefined> {
  const found = await db.membership.findFirst({ where: { user: { email } } });
  return found?.role;
}

const grace = { sub: "grace", email: "grace@example.com", email_verified: true, name: "Grace" };

it("two first sign-ins at once create one user, whose role follows the groups from then on", async () => {
  const both = [1, 2].map(() => signIn({ ...grace, groups: ["staff"] }));
  const ids = (await Promise.all(both)).map((result) =>
    result.ok ? result.userId : result.reason,
  );
  expect(new Set(ids).size).toBe(1);
  expect(await db.user.count({ where: { email: grace.email } })).toBe(1);
  expect(await roleOf(grace.email)).toBe("member");
  expect(await signIn({ ...grace, groups: ["staff", "admins"] })).toMatchObject({ ok: true });
  expect(await roleOf(grace.email)).toBe("admin");
  const events = await db.auditEntry.findMany({
    where: { event: { startsWith: "member." } },
    orderBy: { seq: "asc" },
  });
  expect(events.map(({ event, changes }) => [event, changes])).toEqual([
    ["member.added", [{ path: "role", before: null, after: "member" }]],
    ["member.role.changed", [{ path: "role", before: "member", after: "admin" }]],
  ]);
});

it("a removed group ends every session, and no way of signing in works until it is back", async () => {
  const user = await findUserCredentials(db, grace.email);
  if (user === null) throw new Error("There is no user.");
  expect(await listSessions(db, user.userId)).not.toEqual([]);
  expect(await signIn({ ...grace, groups: [] })).toEqual({ ok: false, reason: "no_role" });
  expect(await listSessions(db, user.userId)).toEqual([]);
  expect(await createSession(db, user, browser)).toBeNull();
  expect(await signIn({ ...grace, groups: ["staff"] })).toMatchObject({ ok: true });
  expect(await createSession(db, user, browser)).not.toBeNull();

  await signIn({ ...grace, groups: [] });
  const passwordHash = await hashPassword("a password of the operator");
  await db.$transaction((tx) => resetPassword(tx, grace.email, passwordHash));
  expect(await createSession(db, { ...user, passwordHash }, browser)).not.toBeNull();
});

it("an email makes two people one only if it is verified and the operator allows it", async () => {
  const ada = { sub: "ada", email: owner.email, groups: ["owners"] };
  const link = { ...groups, CATCHMENT_OIDC_LINK_BY_EMAIL: "true" };
  const taken = { ok: false, reason: "email_taken" };
  expect(await signIn({ ...ada, email_verified: true })).toEqual(taken);
  const denied = { ok: false, reason: "email_denied" };
  expect(await signIn({ ...ada, email_verified: false }, link)).toEqual(denied);
  expect(await db.identity.count({ where: { subject: "ada" } })).toBe(0);
  const before = await findUserCredentials(db, owner.email);
  if (before === null) throw new Error("There is no user.");
  await createSession(db, before, browser);
  const { id: userId } = await db.user.findUniqueOrThrow({ where: { email: owner.email } });
  await db.passkey.create({
    data: { id: "planted", userId, name: "p", publicKey: Buffer.of(1), counter: 0n },
  });
  expect(await signIn({ ...ada, email_verified: true }, link)).toMatchObject({ ok: true });
  // Anyone could have made that user: nothing that signed it in before does so any longer.
  expect(await createSession(db, before, browser)).toBeNull();
  expect(await listSessions(db, userId)).toHaveLength(1);
  expect(await db.passkey.count({ where: { userId } })).toBe(0);
  // Another subject with the same email isn't the same person any longer without the permission.
  expect(await signIn({ ...ada, sub: "eve", email_verified: true })).toEqual(taken);
  // A known person stays the same, whatever their email says.
  expect(await signIn({ ...ada, email: "new@example.com" })).toMatchObject({ ok: true });
});

it("groups never take the last owner from an account", async () => {
  const ada = { sub: "ada", email: owner.email, groups: ["staff"] };
  expect(await signIn(ada)).toMatchObject({ ok: true });
  expect(await roleOf(owner.email)).toBe("owner");
  await signIn({ ...grace, groups: ["owners"] });
  expect(await signIn(ada)).toMatchObject({ ok: true });
  expect(await roleOf(owner.email)).toBe("member");
});

it("without a role claim, roles are managed here, and new people only read", async () => {
  const signUp = { CATCHMENT_OIDC_SIGN_UP: "true" };
  const alan = { sub: "alan", email: "alan@example.com", groups: ["owners"] };
  expect(await signIn(alan, {})).toEqual({ ok: false, reason: "sign_up_off" });
  expect(await signIn(alan, signUp)).toMatchObject({ ok: true });
  expect(await roleOf(alan.email)).toBe("viewer");
  await signIn(grace, signUp);
  expect(await roleOf(grace.email)).toBe("owner");
  expect(await signIn(alan, { CATCHMENT_OIDC_ACCOUNT: "gone" })).toEqual({
    ok: false,
    reason: "no_account",
  });
});

const link = { ...groups, CATCHMENT_OIDC_LINK_BY_EMAIL: "true" };

it("a person who was rejected, and is another subject now, signs in once they are accepted", async () => {
  const mary = { email: "mary@example.com", email_verified: true };
  expect(await signIn({ ...mary, sub: "mary", groups: ["staff"] })).toMatchObject({ ok: true });
  expect(await signIn({ ...mary, sub: "mary", groups: [] })).toMatchObject({ ok: false });
  const again = { ...mary, sub: "mary again", groups: ["staff"] };
  expect(await signIn(again, link)).toMatchObject({ ok: true });
  expect(await signIn(again)).toMatchObject({ ok: true });
});

/** Runs `first` in a transaction that commits once `second` waits for it. */
async function runBoth<Value>(
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<Value>,
  last: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<Value> {
  const waiting = await db.$transaction(async (tx) => {
    await first(tx);
    const running = second();
    await vi.waitFor(async () => expect(await countWaiting(db)).toBe(1), { timeout: 60_000 });
    await last(tx);
    return { running };
  });
  return await waiting.running;
}

it("no one becomes a member of an account that is deleted meanwhile", async () => {
  const { id: userId } = await db.user.findUniqueOrThrow({ where: { email: owner.email } });
  const made = { name: "Gone", slug: "gone", userId };
  const account = await db.$transaction((tx) => insertAccount(tx, made));
  const accountId = account?.id ?? "";
  const jo = { sub: "jo", email: "jo@example.com", email_verified: true, groups: ["owners"] };
  const result = await runBoth(
    async (tx) => {
      await lockAccount(tx, accountId);
      await markAccountDeleted(tx, accountId);
    },
    () => signIn(jo, { ...groups, CATCHMENT_OIDC_ACCOUNT: "gone" }),
  );
  expect(result).toEqual({ ok: false, reason: "no_account" });
  expect(await db.membership.count({ where: { accountId } })).toBe(0);
  expect(await db.user.count({ where: { email: jo.email } })).toBe(0);
});

it("a sign-in that links a user waits for changes of the account, and neither fails", async () => {
  const { id: accountId } = await db.account.findFirstOrThrow({ where: { slug: "acme" } });
  const sam = { email: "sam@example.com", name: "Sam", passwordHash: "x" };
  await db.$transaction(async (tx) => {
    const userId = (await insertUser(tx, { ...sam, isEmailVerified: true })) ?? "";
    await addMembership(tx, { accountId, userId, role: "viewer" });
  });
  const actor = { type: "system", accountId } as const;
  const context = { db, sealer: testSealer, actor, now: () => new Date() };
  const result = await runBoth(
    (tx) => lockAccount(tx, accountId),
    () => signIn({ sub: "sam", ...sam, email_verified: true, groups: ["staff"] }, link),
    (tx) => audit(context, { event: "account.renamed", targets: [] }, tx),
  );
  expect(result).toMatchObject({ ok: true });
  expect(await roleOf(sam.email)).toBe("member");
});
