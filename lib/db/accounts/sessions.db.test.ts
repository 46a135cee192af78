import { beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import {
  createSession,
  endAllSessions,
  endSession,
  findSessionUser,
  isSessionAlive,
  listSessions,
  type SessionUser,
} from "./sessions.ts";
import { changeEmail, changePassword } from "./users.ts";

const { db } = withDatabase();
const accountId = newId();
const ada = { userId: newId(), passwordHash: "the hash of Ada's password" };
const eve = { userId: newId(), passwordHash: "the hash of Eve's password" };
const client = { userAgent: "Mozilla/5.0", address: "198.51.100.1" };

beforeAll(async () => {
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme Ltd" } });
  for (const [name, { userId, passwordHash }] of Object.entries({ ada, eve })) {
    await db.user.create({
      data: { id: userId, email: `${name}@example.com`, name, passwordHash },
    });
    await db.membership.create({ data: { accountId, userId, role: "owner" } });
  }
});
beforeEach(async () => {
  await db.session.deleteMany();
  await db.user.update({ where: { id: ada.userId }, data: { passwordHash: ada.passwordHash } });
});

async function signIn(user = ada): Promise<string> {
  return (await createSession(db, user, client)) ?? "";
}

async function find(sessionId: string, { userId } = ada): Promise<SessionUser | null> {
  return await findSessionUser(db, { userId, sessionId });
}

it("a session finds its user and account, and no other", async () => {
  const session = await signIn();
  expect(await find(session)).toMatchObject({
    email: "ada@example.com",
    accountSlug: "acme",
    accountName: "Acme Ltd",
    role: "owner",
  });
  expect(await find(session, eve)).toBeNull();
  expect(await find(newId())).toBeNull();
});

it("ending one session leaves the others, and only its user can end it", async () => {
  const [here, there] = [await signIn(), await signIn()];
  expect(await endSession(db, eve.userId, there)).toBe(false);
  expect(await endSession(db, ada.userId, there)).toBe(true);
  expect(await find(there)).toBeNull();
  expect(await find(here)).not.toBeNull();
  expect(await endSession(db, ada.userId, there)).toBe(false);
});

it("ending all sessions ends those of this user only", async () => {
  const [one, two, other] = [await signIn(), await signIn(), await signIn(eve)];
  await endAllSessions(db, ada.userId);
  expect([await find(one), await find(two)]).toEqual([null, null]);
  expect(await find(other, eve)).not.toBeNull();
});

it("an expired session finds no user, is not listed, and is removed by the next sign-in", async () => {
  const session = await signIn();
  await db.$executeRaw`update sessions set expires_at = now() - interval '1 second'`;
  expect(await find(session)).toBeNull();
  expect(await listSessions(db, ada.userId)).toEqual([]);
  await signIn(eve);
  expect(await db.session.count()).toBe(1);
});

it("a session is listed with its browser and the time it was last seen", async () => {
  const session = await signIn();
  await db.$executeRaw`update sessions set last_seen_at = now() - interval '1 hour'`;
  await find(session);
  const [listed] = await listSessions(db, ada.userId);
  expect(listed).toMatchObject({ id: session, ...client });
  expect(Date.now() - (listed?.lastSeenAt.getTime() ?? 0)).toBeLessThan(60_000);
  expect(await listSessions(db, eve.userId)).toEqual([]);
});

it("any user agent can be stored", async () => {
  await createSession(db, ada, { userAgent: `a\u0000\ud800${"x".repeat(10_000)}`, address: null });
  const [listed] = await listSessions(db, ada.userId);
  expect(listed?.userAgent).toHaveLength(300);
});

it("a new password ends every session of its user, and no sign-in with the old one survives it", async () => {
  const [session, other] = [await signIn(), await signIn(eve)];
  expect(await changePassword(db, ada, "a new hash")).toBe(true);
  expect(await find(session)).toBeNull();
  expect(await find(other, eve)).not.toBeNull();
  expect(await createSession(db, ada, client)).toBeNull();
  expect(await changePassword(db, ada, "another hash")).toBe(false);
});

it("an email address is changed only if no other user has it, and all other browsers are signed out", async () => {
  const [here, there, other] = [await signIn(eve), await signIn(eve), await signIn()];
  const session = { userId: eve.userId, sessionId: here };
  expect(await changeEmail(db, session, "ada@example.com")).toBe(false);
  expect(await find(there, eve)).not.toBeNull();
  expect(await changeEmail(db, session, "eve@example.org")).toBe(true);
  expect(await find(there, eve)).toBeNull();
  expect(await find(here, eve)).not.toBeNull();
  expect(await find(other)).not.toBeNull();
  expect(await changeEmail(db, session, "eve@example.org")).toBe(true);
});

it("a session is alive until it ends, in the accounts of its user only", async () => {
  const sessionId = await signIn();
  const isAlive = (userId: string, account = accountId) =>
    isSessionAlive(db, { userId, sessionId }, account);
  expect([
    await isAlive(ada.userId),
    await isAlive(eve.userId),
    await isAlive(ada.userId, newId()),
  ]).toEqual([true, false, false]);
  await endSession(db, ada.userId, sessionId);
  expect(await isAlive(ada.userId)).toBe(false);
});
