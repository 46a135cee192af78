import { beforeAll, beforeEach, expect, it } from "vitest";
import { listSessions } from "#lib/db/accounts/sessions.ts";
import { resetPassword } from "#lib/db/sign-in/password-resets.ts";
import { prolongPauses } from "#lib/db/testing/prolong-pauses.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ensureFirstOwner } from "#lib/services/account/first-owner.ts";
import { hashPassword } from "#lib/services/account/passwords.ts";
import { signIn } from "./auth.ts";
import { writeSessionToken } from "./session-token.ts";

const { db } = withDatabase();
const sessionSecret = "a secret for tests";
const owner = { email: "ada@example.com", password: "correct horse battery" };
const otherBrowser = {
  userAgent: "",
  address: "198.51.100.1",
  sessionCookie: undefined,
  deviceCookie: undefined,
};

beforeAll(async () => {
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
});

// A pause of one test must not be in the way of the next.
beforeEach(() => db.$executeRaw`truncate sign_in_throttles`);

const context = (oidc?: { readonly isOnly: boolean }) => ({ db, sessionSecret, env: { oidc } });

async function signInAs(
  browser: Partial<typeof otherBrowser> | object,
): Promise<Extract<Awaited<ReturnType<typeof signIn>>, { ok: true }>> {
  const result = await signIn(context(), owner, { ...otherBrowser, ...browser });
  if (!result.ok) throw new Error(result.code);
  return result;
}

it("a new sign-in ends this browser's previous session, and no other", async () => {
  const [first, elsewhere] = [await signInAs({}), await signInAs({})];
  const sessionCookie = await writeSessionToken(
    { sub: first.userId, sid: first.sessionId },
    sessionSecret,
  );
  // A wrong password ends no session.
  await signIn(context(), { ...owner, password: "wrong" }, { ...otherBrowser, sessionCookie });
  expect(await listSessions(db, first.userId)).toHaveLength(2);
  const second = await signInAs({ sessionCookie });
  const ids = (await listSessions(db, first.userId)).map(({ id }) => id);
  expect(ids.toSorted()).toEqual([elsewhere.sessionId, second.sessionId].toSorted());
});

it("another client behind the same address can't keep an owner out of a browser that they know", async () => {
  const { deviceToken } = await signInAs({});
  for (let i = 0; i < 8; i += 1)
    await signIn(context(), { ...owner, password: "guess" }, otherBrowser);
  await prolongPauses(db);
  const inOtherBrowser = await signIn(context(), owner, otherBrowser);
  expect(inOtherBrowser).toMatchObject({ ok: false, code: "throttled" });
  const inOwnBrowser = { ...otherBrowser, deviceCookie: deviceToken };
  expect(await signIn(context(), owner, inOwnBrowser)).toMatchObject({ ok: true });
});

it("where only single sign-on is allowed, a password works for an hour after a reset on the machine", async () => {
  const only = context({ isOnly: true });
  const browser = { ...otherBrowser, address: "198.51.100.9" };
  expect(await signIn(only, owner, browser)).toEqual({ ok: false, code: "wrong" });
  const passwordHash = await hashPassword(owner.password);
  await db.$transaction((tx) => resetPassword(tx, owner.email, passwordHash));
  expect(await signIn(only, owner, browser)).toMatchObject({ ok: true });
  await db.$executeRaw`update users set password_allowed_until = now() - interval '1 second'`;
  expect(await signIn(only, owner, browser)).toEqual({ ok: false, code: "wrong" });
});
