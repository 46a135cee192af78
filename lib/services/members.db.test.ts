import { beforeEach, expect, it } from "vitest";
import { createApiToken, findApiToken } from "#lib/db/accounts/api-tokens.ts";
import {
  chooseAccount,
  createSession,
  findSessionPerson,
  findSessionUser,
  isSessionAlive,
} from "#lib/db/accounts/sessions.ts";
import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { addAccount } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { createApiToken as createTokenAs } from "#lib/services/account/api-tokens.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import {
  acceptAsNewPerson,
  acceptAsPerson,
  findInvitation,
  inviteMember,
  resendInvitation,
  revokeInvitation,
} from "./invitations.ts";
import { changeMemberRole, leaveAccount, removeMember } from "./members.ts";

const { db } = withDatabase();
const browser = { userAgent: "a browser", address: null };
const password = "a few words in a row";
let accountId: string;
let owner: UserActor;

const as = (actor: UserActor) => testContext(db, actor.accountId, { actor });
const parts = (variables: Readonly<Record<string, string>> = {}) =>
  testContext(db, accountId, { variables });
const tokenOf = (url: string | null) => url?.slice(url.lastIndexOf("/") + 1) ?? "";

async function addActor(role: Role, to = accountId): Promise<UserActor> {
  const userId = await addMember(db, to, role);
  const email = `${userId}@example.com`;
  const sessionId = await openSession(email);
  await chooseAccount(db, { userId, sessionId }, to);
  return { type: "user", accountId: to, userId, email, role, sessionId, maskedFields: [] };
}

async function openSession(email: string): Promise<string> {
  const user = await findUserCredentials(db, email);
  const id = user && (await createSession(db, user, browser));
  if (typeof id !== "string") throw new Error("No session");
  return id;
}

beforeEach(async () => {
  accountId = await addAccount(db);
  owner = await addActor("owner");
});

it("a new person joins by the link once, with the role they were invited to", async () => {
  const email = `ada@${accountId}.example.com`;
  const { url, invitation } = await inviteMember(as(owner), {
    email: ` ADA@${accountId}.example.com`,
    role: "admin",
  });
  const token = tokenOf(url);
  expect(JSON.stringify(await db.invitation.findMany())).not.toContain(token);
  expect(await findInvitation(parts().db, token)).toMatchObject({
    email,
    role: "admin",
    userId: null,
  });
  await expect(
    acceptAsNewPerson(parts(), token, { name: "Ada", password: "Password123" }),
  ).rejects.toMatchObject({ errors: [{ path: "password" }] });
  const onlySingleSignOn = {
    CATCHMENT_OIDC_ISSUER: "https://id.example.test",
    CATCHMENT_OIDC_CLIENT_ID: "catchment",
    CATCHMENT_OIDC_CLIENT_SECRET: "secret",
    CATCHMENT_OIDC_ONLY: "true",
  };
  await expect(
    acceptAsNewPerson(parts(onlySingleSignOn), token, { name: "Ada", password }),
  ).rejects.toMatchObject({ code: "forbidden" });
  const accepts = await Promise.allSettled(
    [1, 2, 3].map(() => acceptAsNewPerson(parts(), token, { name: "Ada", password })),
  );
  expect(accepts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await findInvitation(parts().db, token)).toBeNull();
  await expect(resendInvitation(as(owner), { id: invitation.id })).rejects.toMatchObject({
    code: "not_found",
  });
  const user = await findSessionUser(db, {
    userId: (await findUserCredentials(db, email))?.userId ?? "",
    sessionId: await openSession(email),
  });
  expect(user).toMatchObject({ accountId, role: "admin", name: "Ada" });
  await expect(inviteMember(as(owner), { email, role: "viewer" })).rejects.toMatchObject({
    errors: [{ path: "email", message: "is a member already" }],
  });
});

it("a person with another account joins with it, and no one else uses their link", async () => {
  const other = await addActor("owner", await addAccount(db));
  const { url } = await inviteMember(as(owner), { email: other.email, role: "viewer" });
  const token = tokenOf(url);
  await expect(acceptAsNewPerson(parts(), token, { name: "x", password })).rejects.toMatchObject({
    code: "conflict",
  });
  const [mine, theirs] = await Promise.all(
    [owner, other].map((each) => findSessionPerson(db, each)),
  );
  if (mine == null || theirs == null) throw new Error("No session");
  await expect(acceptAsPerson(parts(), token, mine)).rejects.toMatchObject({ code: "forbidden" });
  await acceptAsPerson(parts(), token, theirs);
  // Their session shows the account that they joined.
  expect(await findSessionUser(db, other)).toMatchObject({ accountId, role: "viewer" });
  await expect(acceptAsPerson(parts(), token, theirs)).rejects.toMatchObject({ code: "not_found" });
});

it("a link ends when its invitation is resent, revoked, or 7 days old", async () => {
  const invite = (email: string) => inviteMember(as(owner), { email, role: "member" });
  const first = await invite("a@example.com");
  await expect(invite("a@example.com")).rejects.toMatchObject({ errors: [{ path: "email" }] });
  const again = await resendInvitation(as(owner), { id: first.invitation.id });
  expect(await findInvitation(parts().db, tokenOf(first.url))).toBeNull();
  expect(await findInvitation(parts().db, tokenOf(again.url))).not.toBeNull();
  await revokeInvitation(as(owner), { id: first.invitation.id });
  expect(await findInvitation(parts().db, tokenOf(again.url))).toBeNull();
  const old = await invite("b@example.com");
  await db.$executeRaw`update invitations set expires_at = expires_at - interval '7 days'`;
  await expect(
    acceptAsNewPerson(parts(), tokenOf(old.url), { name: "B", password }),
  ).rejects.toMatchObject({ code: "not_found" });
  for (const token of ["", "x", "A".repeat(43), "\0", "A".repeat(100_000)])
    expect(await findInvitation(parts().db, token)).toBeNull();
});

it("revoking an invitation that is being used says that it is gone", async () => {
  const sent = await inviteMember(as(owner), { email: "c@example.com", role: "member" });
  const { id } = sent.invitation;
  const { revoking } = await db.$transaction(async (tx) => {
    await tx.invitation.deleteMany({ where: { id } });
    const revoking = revokeInvitation(as(owner), { id });
    revoking.catch(() => {});
    await expect.poll(() => countWaiting(db)).toBe(1);
    return { revoking };
  });
  await expect(revoking).rejects.toMatchObject({ code: "not_found" });
  const events = await db.auditEntry.findMany({ where: { accountId } });
  expect(events.map(({ event }) => event)).not.toContain("invitation.revoked");
});

it("an address gets a few emails of an account, and then only after pauses, however they are asked for", async () => {
  await using mails = await startMailServer();
  const variables = { SMTP_URL: mails.url, CATCHMENT_MAIL_FROM: "catchment@example.test" };
  const context = testContext(db, accountId, { actor: owner, variables });
  const invite = (email: string) => inviteMember(context, { email, role: "member" });
  const first = await invite("a@example.com");
  for (let sent = 1; sent < 4; sent += 1)
    await resendInvitation(context, { id: first.invitation.id });
  await revokeInvitation(context, { id: first.invitation.id });
  const { invitation, url } = await invite("a@example.com");
  // The pauses double. A long one doesn't end while the test runs.
  await db.signInThrottle.updateMany({ data: { failures: 15 } });
  await resendInvitation(context, { id: invitation.id });
  await expect(resendInvitation(context, { id: invitation.id })).rejects.toMatchObject({
    code: "rate_limited",
    message: "Too many emails to a@example.com. Try again in 15 minutes.",
  });
  await revokeInvitation(context, { id: invitation.id });
  await expect(invite("a@example.com")).rejects.toMatchObject({ code: "rate_limited" });
  expect(url).toBeNull();
  expect((await invite("b@example.com")).email).toEqual({ state: "sent" });
  // Without a mail server there is nothing to limit.
  await inviteMember(as(owner), { email: "a@example.com", role: "member" });
});

it("removing a member ends their sessions of the account and their tokens, and nothing else", async () => {
  const member = await addActor("member");
  const elsewhere = await addAccount(db);
  await db.membership.create({
    data: { accountId: elsewhere, userId: member.userId, role: "owner" },
  });
  const otherSession = { ...member, sessionId: await openSession(member.email) };
  await chooseAccount(db, otherSession, elsewhere);
  const made = {
    name: "t",
    userId: member.userId,
    scopes: ["hooks:read"],
    expiresAt: null,
  } as const;
  const [here, there] = await Promise.all(
    [accountId, elsewhere].map((id) => createApiToken(db, id, made)),
  );
  await removeMember(as(owner), { id: member.userId });
  expect(await findSessionUser(db, member)).toBeNull();
  expect(await isSessionAlive(db, member, accountId)).toBe(false);
  expect(await findSessionUser(db, otherSession)).toMatchObject({ accountId: elsewhere });
  expect(await findApiToken(db, here?.token ?? "")).toBeNull();
  expect(await findApiToken(db, there?.token ?? "")).not.toBeNull();
  // A request that they sent before makes none, which would work if they came back.
  const late = createTokenAs(as({ ...member, role: "admin" }), {
    name: "late",
    scopes: ["hooks:read"],
    expiresInDays: null,
  });
  await expect(late).rejects.toMatchObject({ code: "not_found" });
  // Joining again brings no token back.
  await db.membership.create({ data: { accountId, userId: member.userId, role: "member" } });
  expect(await findApiToken(db, here?.token ?? "")).toBeNull();
});

it("the last owner stays, also when two owners remove each other at once", async () => {
  await expect(leaveAccount(as(owner), {})).rejects.toMatchObject({ code: "conflict" });
  await expect(
    changeMemberRole(as(owner), { id: owner.userId, role: "admin" }),
  ).rejects.toMatchObject({ code: "conflict" });
  const second = await addActor("owner");
  const results = await Promise.allSettled([
    removeMember(as(owner), { id: second.userId }),
    removeMember(as(second), { id: owner.userId }),
    leaveAccount(as(owner), {}),
    changeMemberRole(as(second), { id: second.userId, role: "viewer" }),
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await db.membership.count({ where: { accountId, role: "owner" } })).toBe(1);
});

it("only owners deal with owners, and members deal with no one", async () => {
  const [admin, member] = [await addActor("admin"), await addActor("member")];
  const forbidden = { code: "forbidden" };
  for (const call of [
    () => changeMemberRole(as(admin), { id: owner.userId, role: "viewer" }),
    () => changeMemberRole(as(admin), { id: member.userId, role: "owner" }),
    () => removeMember(as(admin), { id: owner.userId }),
    () => inviteMember(as(admin), { email: "x@example.com", role: "owner" }),
    () => changeMemberRole(as(member), { id: member.userId, role: "admin" }),
    () => removeMember(as(member), { id: admin.userId }),
    () => inviteMember(as(member), { email: "x@example.com", role: "viewer" }),
  ])
    await expect(call()).rejects.toMatchObject(forbidden);
  expect(await changeMemberRole(as(admin), { id: member.userId, role: "viewer" })).toMatchObject({
    role: "viewer",
  });
  expect(await findSessionUser(db, member)).toMatchObject({ role: "viewer" });
  await leaveAccount(as(admin), {});
  expect(await findSessionUser(db, admin)).toBeNull();
});

it("people of another account are not found", async () => {
  const other = await addActor("owner", await addAccount(db));
  const { invitation } = await inviteMember(as(owner), { email: "y@example.com", role: "viewer" });
  for (const call of [
    () => changeMemberRole(as(other), { id: owner.userId, role: "viewer" }),
    () => removeMember(as(other), { id: owner.userId }),
    () => revokeInvitation(as(other), { id: invitation.id }),
    () => resendInvitation(as(other), { id: invitation.id }),
  ])
    await expect(call()).rejects.toMatchObject({ code: "not_found" });
});
