import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { createDatabase, type Database } from "./client.ts";
import {
  createSession,
  endAllSessions,
  endSession,
  findSessionUser,
  listSessions,
  type SessionUser,
} from "./sessions.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { changeEmail, changePassword } from "./users.ts";

let testDatabase: TestDatabase;
let db: Database;
const accountId = newId();
const ada = { userId: newId(), passwordHash: "the hash of Ada's password" };
const eve = { userId: newId(), passwordHash: "the hash of Eve's password" };
const client = { userAgent: "Mozilla/5.0", address: "198.51.100.1" };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme Ltd" } });
  for (const [name, { userId, passwordHash }] of Object.entries({ ada, eve })) {
    await db.user.create({ data: { id: userId, email: `${name}@example.com`, name, passwordHash } });
    await db.membership.create({ data: { accountId, userId, role: "owner" } });
  }
});
beforeEach(async () => {
  await db.session.deleteMany();
  await db.user.update({ where: { id: ada.userId }, data: { passwordHash: ada.passwordHash } });
});
afterAll(async () => {
  await db?.$disconnect();
  await testDatabase?.drop();
});

async function signIn(user = ada): Promise<string> {
  return (await createSession(db, user, client)) ?? "";
}

async function find(sessionId: string, { userId } = ada): Promise<SessionUser | null> {
  return await findSessionUser(db, { userId, sessionId });
}

it("a session finds its user and account, and nobody else's", async () => {
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

it("ending one session leaves the others; only its user can end it", async () => {
  const [here, there] = [await signIn(), await signIn()];
  expect(await endSession(db, eve.userId, there)).toBe(false);
  expect(await endSession(db, ada.userId, there)).toBe(true);
  expect(await find(there)).toBeNull();
  expect(await find(here)).not.toBeNull();
  expect(await endSession(db, ada.userId, there)).toBe(false);
});

it("ending all sessions ends those of this user alone", async () => {
  const [one, two, other] = [await signIn(), await signIn(), await signIn(eve)];
  await endAllSessions(db, ada.userId);
  expect([await find(one), await find(two)]).toEqual([null, null]);
  expect(await find(other, eve)).not.toBeNull();
});

it("a session that has expired finds nobody, is not listed, and goes with the next sign-in", async () => {
  const session = await signIn();
  await db.$executeRaw`update sessions set expires_at = now() - interval '1 second'`;
  expect(await find(session)).toBeNull();
  expect(await listSessions(db, ada.userId)).toEqual([]);
  await signIn(eve);
  expect(await db.session.count()).toBe(1);
});

it("a session is listed with the browser that made it, and when it was last seen", async () => {
  const session = await signIn();
  await db.$executeRaw`update sessions set last_seen_at = now() - interval '1 hour'`;
  await find(session);
  const [listed] = await listSessions(db, ada.userId);
  expect(listed).toMatchObject({ id: session, ...client });
  expect(Date.now() - (listed?.lastSeenAt.getTime() ?? 0)).toBeLessThan(60_000);
  expect(await listSessions(db, eve.userId)).toEqual([]);
});

it("whatever a browser calls itself can be stored", async () => {
  await createSession(db, ada, { userAgent: `a\u0000\ud800${"x".repeat(10_000)}`, address: null });
  const [listed] = await listSessions(db, ada.userId);
  expect(listed?.userAgent).toHaveLength(300);
});

it("a new password ends every session of its user alone, and no sign-in with the old one survives it", async () => {
  const [session, other] = [await signIn(), await signIn(eve)];
  expect(await changePassword(db, ada, "a new hash")).toBe(true);
  expect(await find(session)).toBeNull();
  expect(await find(other, eve)).not.toBeNull();
  expect(await createSession(db, ada, client)).toBeNull();
  expect(await changePassword(db, ada, "another hash")).toBe(false);
});

it("a new e-mail is taken only when nobody else has it", async () => {
  expect(await changeEmail(db, eve.userId, "ada@example.com")).toBe(false);
  expect(await changeEmail(db, eve.userId, "eve@example.org")).toBe(true);
  expect(await changeEmail(db, eve.userId, "eve@example.org")).toBe(true);
});
