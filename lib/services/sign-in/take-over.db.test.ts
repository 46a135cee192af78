import { beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createApiToken, findApiToken } from "#lib/db/accounts/api-tokens.ts";
import { createSession, findSessionUser } from "#lib/db/accounts/sessions.ts";
import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { consumeEmailChange, verifyEmail } from "#lib/db/sign-in/email-changes.ts";
import { consumePasswordReset, createPasswordReset } from "#lib/db/sign-in/password-resets.ts";
import { addAccount } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { createApiToken as createTokenAs } from "#lib/services/account/api-tokens.ts";
import { confirmEmail } from "#lib/services/account/email-change.ts";
import { hashPassword } from "#lib/services/account/passwords.ts";
import { saveProfile } from "#lib/services/account/profile.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import {
  acceptAsNewPerson,
  findInvitation,
  inviteMember,
  resendInvitation,
} from "#lib/services/invitations.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { signInWithOidc } from "./sign-in-with-oidc.ts";

/**
 * A viewer, Mallory, wants to be the owner that Olga becomes by her groups once she signs in for the first time. Each
 * step of the take-over is tried alone, as if the ones before it had worked.
 */
const { db } = withDatabase();
const browser = { userAgent: "a browser", address: null };
const password = "a few words in a row";
const issuer = "https://id.example.test";
let accountId: string;
let slug: string;
let mallory: UserActor;
let olga: { sub: string; email: string; email_verified: boolean; groups: string[] };

beforeEach(async () => {
  accountId = await addAccount(db);
  ({ slug } = await db.account.findUniqueOrThrow({ where: { id: accountId } }));
  await addPerson("owner", `first@${slug}.example.com`);
  mallory = await addPerson("viewer", `mallory@${slug}.example.com`);
  const email = `olga@${slug}.example.com`;
  olga = { sub: `olga of ${slug}`, email, email_verified: true, groups: ["owners"] };
});

async function addPerson(role: Role, email: string): Promise<UserActor> {
  const userId = newId();
  const passwordHash = await hashPassword(password);
  await db.user.create({ data: { id: userId, email, name: role, passwordHash } });
  await db.membership.create({ data: { accountId, userId, role } });
  const sessionId = await openSession(email);
  return { type: "user", accountId, userId, email, role, sessionId, maskedFields: [] };
}

async function openSession(email: string): Promise<string> {
  const user = await findUserCredentials(db, email);
  const id = user && (await createSession(db, user, browser));
  if (typeof id !== "string") throw new Error("No session");
  return id;
}

const oidc = () => ({
  CATCHMENT_OIDC_ISSUER: issuer,
  CATCHMENT_OIDC_CLIENT_ID: "catchment",
  CATCHMENT_OIDC_CLIENT_SECRET: "secret",
  CATCHMENT_OIDC_ROLE_CLAIM: "groups",
  CATCHMENT_OIDC_ROLES: "owners=owner,staff=viewer",
  CATCHMENT_OIDC_ACCOUNT: slug,
  CATCHMENT_OIDC_SIGN_UP: "true",
  CATCHMENT_OIDC_LINK_BY_EMAIL: "true",
});

const as = (actor: UserActor, variables: Record<string, string> = {}) =>
  testContext(db, accountId, { actor, variables });
const mailOf = (url: string) => ({ SMTP_URL: url, CATCHMENT_MAIL_FROM: "catchment@example.test" });

async function signIn(claims: Record<string, unknown>) {
  const context = testContext(db, accountId, { variables: oidc() });
  return await signInWithOidc(context, { iss: issuer, ...claims }, browser, null);
}

async function emailOf({ userId }: UserActor): Promise<string> {
  return (await db.user.findUniqueOrThrow({ where: { id: userId } })).email;
}

async function roleOf(userId: string): Promise<string | undefined> {
  return (await db.membership.findFirst({ where: { accountId, userId } }))?.role;
}

/** A take-over that versions before this one allowed. */
async function renameTo(actor: UserActor, email: string): Promise<void> {
  await db.user.update({ where: { id: actor.userId }, data: { email } });
}

const tokenIn = (text = "") => /token=([\w-]{43})/.exec(text)?.[1] ?? "";

it("step 1: a viewer doesn't get a colleague's email by naming it, only its mailbox gives it", async () => {
  await using mails = await startMailServer();
  const change = { name: "Mallory", email: olga.email, password, browser };
  await expect(saveProfile(as(mallory), change)).rejects.toMatchObject({
    errors: [{ path: "email", message: expect.stringContaining("npm run server -- change-email") }],
  });
  expect(await db.emailChange.count({ where: { userId: mallory.userId } })).toBe(0);

  const context = as(mallory, mailOf(mails.url));
  expect(await saveProfile(context, change)).toBe(olga.email);
  expect(await emailOf(mallory)).toBe(`mallory@${slug}.example.com`);
  expect(mails.mails.map(({ to }) => to)).toEqual([[olga.email]]);
  const token = tokenIn(mails.mails[0]?.text);
  expect(token).not.toBe("");
  expect(JSON.stringify(await db.emailChange.findMany())).not.toContain(token);
  // Nor does opening the message give Mallory anything: the link is only for who asked for it.
  const other = await addPerson("viewer", olga.email);
  await expect(confirmEmail(as(other), { token })).rejects.toMatchObject({ code: "not_found" });
  await expect(confirmEmail(context, { token })).rejects.toMatchObject({ code: "conflict" });
  for (const guess of ["", "x", "A".repeat(43), "\0", "A".repeat(100_000)])
    await expect(confirmEmail(context, { token: guess })).rejects.toMatchObject({
      code: "not_found",
    });
  expect(await emailOf(mallory)).toBe(`mallory@${slug}.example.com`);
});

it("step 2: a first sign-in isn't taken for a user whose email no one has confirmed", async () => {
  await renameTo(mallory, olga.email);
  expect(await signIn(olga)).toEqual({ ok: false, reason: "user_unverified" });
  expect(await db.identity.count({ where: { subject: olga.sub } })).toBe(0);
  expect(await roleOf(mallory.userId)).toBe("viewer");
});

it("step 3: nothing of who had the user comes along when an email links it", async () => {
  await signIn({
    sub: `m of ${slug}`,
    email: mallory.email,
    email_verified: true,
    groups: ["staff"],
  });
  const own = await signIn({ sub: `x ${slug}`, email: `x@${slug}.example.com`, groups: ["staff"] });
  if (!own.ok) throw new Error(own.reason);
  const { userId } = own;
  await db.user.update({ where: { id: userId }, data: { email: olga.email } });
  await db.$transaction((tx) => verifyEmail(tx, userId));
  const before = await db.user.findUniqueOrThrow({ where: { id: userId } });
  await db.passkey.create({
    data: { id: `p ${slug}`, userId, name: "p", publicKey: Buffer.of(1), counter: 0n },
  });
  await db.identity.create({
    data: { issuer: "https://old.example.test", subject: slug, userId },
  });
  const made = { name: "t", userId, scopes: ["hooks:read"], expiresAt: null } as const;
  const { token } = await createApiToken(db, accountId, made);
  const reset = await createPasswordReset(db, olga.email);

  const linked = await signIn(olga);
  expect(linked).toMatchObject({ ok: true, userId });
  expect(await findSessionUser(db, own)).toBeNull();
  expect(await findApiToken(db, token)).toBeNull();
  expect(
    await createSession(db, { userId, passwordHash: before.passwordHash }, browser),
  ).toBeNull();
  expect(await db.passkey.count({ where: { userId } })).toBe(0);
  expect(await db.$transaction((tx) => consumePasswordReset(tx, reset ?? "", "x"))).toBeNull();
  const identities = await db.identity.findMany({ where: { userId } });
  expect(identities.map(({ subject }) => subject)).toEqual([olga.sub]);
  expect(await db.auditEntry.count({ where: { accountId, event: "user.linked" } })).toBe(1);
});

it("step 4: who took part in the take-over is never the owner that the groups make", async () => {
  const own = {
    sub: `m of ${slug}`,
    email: mallory.email,
    email_verified: true,
    groups: ["staff"],
  };
  await db.$transaction((tx) => verifyEmail(tx, mallory.userId));
  const before = await signIn(own);
  if (!before.ok) throw new Error(before.reason);
  await renameTo(mallory, olga.email);
  const linked = await signIn(olga);
  if (!linked.ok) throw new Error(linked.reason);
  expect(await roleOf(linked.userId)).toBe("owner");
  expect(await findSessionUser(db, before)).toBeNull();
  // Mallory's own sign-in makes someone new.
  const after = await signIn(own);
  if (!after.ok) throw new Error(after.reason);
  expect(after.userId).not.toBe(linked.userId);
  expect(await roleOf(after.userId)).toBe("viewer");
  // The database has one identity per person and issuer, whatever a program does.
  await expect(
    db.identity.create({ data: { issuer, subject: `y ${slug}`, userId: linked.userId } }),
  ).rejects.toMatchObject({ code: "P2002" });
});

it("who invites can't be the invited person: they get no link that was sent, and no token of theirs stays", async () => {
  await using mails = await startMailServer();
  const admin = await addPerson("admin", `admin@${slug}.example.com`);
  const mailed = as(admin, mailOf(mails.url));
  const first = await inviteMember(mailed, { email: olga.email, role: "admin" });
  expect(first).toMatchObject({ url: null, email: { state: "sent" } });
  const again = await resendInvitation(mailed, { id: first.invitation.id });
  expect(JSON.stringify([first, again])).not.toContain("/invitations/");
  const token = /invitations\/([\w-]{43})/.exec(mails.mails.at(-1)?.text ?? "")?.[1] ?? "";
  expect(await findInvitation(db, token)).toMatchObject({ isMailed: true });
  await acceptAsNewPerson(testContext(db, accountId), token, { name: "Olga", password });
  const where = { email: olga.email };
  expect((await db.user.findUniqueOrThrow({ where })).emailVerifiedAt).not.toBeNull();

  // Without a mail server, the inviter has the link, and the email counts for nothing.
  const email = `boss@${slug}.example.com`;
  const { url } = await inviteMember(as(admin), { email, role: "admin" });
  const own = url?.slice(url.lastIndexOf("/") + 1) ?? "";
  await acceptAsNewPerson(testContext(db, accountId), own, { name: "Boss", password });
  const boss = await db.user.findUniqueOrThrow({ where: { email } });
  expect(boss.emailVerifiedAt).toBeNull();
  const actor = { ...admin, userId: boss.id, email, sessionId: await openSession(email) };
  const made = { name: "t", scopes: ["members:write" as const], expiresInDays: null };
  const kept = await createTokenAs(as(actor), made);
  const claims = { sub: `boss of ${slug}`, email, email_verified: true, groups: ["owners"] };
  expect(await signIn(claims)).toEqual({ ok: false, reason: "user_unverified" });
  expect(await findApiToken(db, kept.token)).toMatchObject({ role: "admin" });
  await db.$transaction((tx) => verifyEmail(tx, boss.id));
  expect(await signIn(claims)).toMatchObject({ ok: true, userId: boss.id });
  expect(await roleOf(boss.id)).toBe("owner");
  expect(await findApiToken(db, kept.token)).toBeNull();
  expect(await findSessionUser(db, actor)).toBeNull();
});

it("an email that the issuer calls verified counts as the user's, another one doesn't", async () => {
  const email = `jo@${slug}.example.com`;
  const claims = { sub: `jo of ${slug}`, email, groups: ["staff"] };
  const made = await signIn(claims);
  if (!made.ok) throw new Error(made.reason);
  const isVerified = async () =>
    (await db.user.findUniqueOrThrow({ where: { id: made.userId } })).emailVerifiedAt !== null;
  expect(await isVerified()).toBe(false);
  await signIn({ ...claims, email: olga.email, email_verified: true });
  expect(await isVerified()).toBe(false);
  await signIn({ ...claims, email_verified: "true" });
  expect(await isVerified()).toBe(true);
});

it("a link of someone who was taken over gives no email any more", async () => {
  await db.$transaction((tx) => verifyEmail(tx, mallory.userId));
  await using mails = await startMailServer();
  const change = { name: "M", email: `new@${slug}.example.com`, password, browser };
  await saveProfile(as(mallory, mailOf(mails.url)), change);
  await signIn({ ...olga, email: mallory.email, sub: `m of ${slug}` });
  const token = tokenIn(mails.mails[0]?.text);
  expect(await db.$transaction((tx) => consumeEmailChange(tx, mallory, token))).toBeNull();
});

it("a subject that PostgreSQL can't store, and a token from the future, sign no one in", async () => {
  expect(await signIn({ ...olga, sub: "a\0b" })).toEqual({ ok: false, reason: "bad_subject" });
  const iat = Date.now() / 1_000 + 3_600;
  expect(await signIn({ ...olga, iat })).toEqual({ ok: false, reason: "clock" });
});
