import { beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createSession, findSessionUser } from "#lib/db/accounts/sessions.ts";
import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { addAccount } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import type { Role } from "#lib/schema/account/role.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { cancelEmailChange, confirmEmail, sendEmailLink } from "./email-change.ts";
import { hashPassword } from "./passwords.ts";
import { saveProfile } from "./profile.ts";

const { db } = withDatabase();
const browser = { userAgent: "a browser", address: null };
const password = "a few words in a row";
let accountId: string;
let slug: string;
let mallory: UserActor;

beforeEach(async () => {
  accountId = await addAccount(db);
  ({ slug } = await db.account.findUniqueOrThrow({ where: { id: accountId } }));
  mallory = await addPerson("viewer", `mallory@${slug}.example.com`);
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

const as = (actor: UserActor, variables: Record<string, string> = {}) =>
  testContext(db, accountId, { actor, variables });
const mailOf = (url: string) => ({ SMTP_URL: url, CATCHMENT_MAIL_FROM: "catchment@example.test" });
const tokenIn = (text = "") => /token=([\w-]{43})/.exec(text)?.[1] ?? "";

async function emailOf({ userId }: UserActor): Promise<string> {
  return (await db.user.findUniqueOrThrow({ where: { id: userId } })).email;
}

it("a link that was sent gives the email once, for a day, until another one, a cancel, or a new password", async () => {
  await using mails = await startMailServer();
  const context = as(mallory, mailOf(mails.url));
  const email = `new@${slug}.example.com`;
  const ask = async () => {
    await saveProfile(context, { name: "Mallory", email, password, browser });
    return tokenIn(mails.mails.at(-1)?.text);
  };
  const gone = { code: "not_found" };
  const first = await ask();
  await sendEmailLink(context, {});
  await expect(confirmEmail(context, { token: first })).rejects.toMatchObject(gone);
  const canceled = tokenIn(mails.mails.at(-1)?.text);
  await cancelEmailChange(context, {});
  await expect(confirmEmail(context, { token: canceled })).rejects.toMatchObject(gone);
  const old = await ask();
  await db.$executeRaw`update email_changes set expires_at = now() - interval '1 second'`;
  await expect(confirmEmail(context, { token: old })).rejects.toMatchObject(gone);

  const token = await ask();
  const elsewhere = await openSession(mallory.email);
  expect(await confirmEmail(context, { token })).toEqual({ email });
  expect(await emailOf(mallory)).toBe(email);
  expect(await findSessionUser(db, mallory)).toMatchObject({ email });
  expect(await findSessionUser(db, { ...mallory, sessionId: elsewhere })).toBeNull();
  await expect(confirmEmail(context, { token })).rejects.toMatchObject(gone);
  await expect(
    sendEmailLink(as({ ...mallory, email }, mailOf(mails.url)), {}),
  ).rejects.toMatchObject({
    code: "conflict",
  });
});

it("a mailbox gets few messages, anyone who asks for them", async () => {
  await using mails = await startMailServer();
  const context = as(mallory, mailOf(mails.url));
  await saveProfile(context, { name: "M", email: `olga@${slug}.example.com`, password, browser });
  await db.signInThrottle.updateMany({ data: { failures: 15 } });
  await sendEmailLink(context, {});
  await expect(sendEmailLink(context, {})).rejects.toMatchObject({ code: "rate_limited" });
});

it("two people can't get the same email, even if both had a link", async () => {
  await using mails = await startMailServer();
  const email = `new@${slug}.example.com`;
  const other = await addPerson("viewer", `other@${slug}.example.com`);
  for (const actor of [mallory, other])
    await saveProfile(as(actor, mailOf(mails.url)), { name: "n", email, password, browser });
  const [mine, theirs] = mails.mails.map(({ text }) => tokenIn(text));
  await confirmEmail(as(mallory), { token: mine ?? "" });
  await expect(confirmEmail(as(other), { token: theirs ?? "" })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await emailOf(other)).toBe(other.email);
});
