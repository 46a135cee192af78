import { beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { parseEnv } from "#lib/core/env/parse-env.ts";
import { createSession, listSessions } from "#lib/db/accounts/sessions.ts";
import { changeEmail, findUserCredentials } from "#lib/db/accounts/users.ts";
import { createPasswordReset } from "#lib/db/sign-in/password-resets.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { prolongPauses } from "#lib/db/testing/prolong-pauses.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import { ensureFirstOwner } from "#lib/services/account/first-owner.ts";
import { verifyPassword } from "#lib/services/account/passwords.ts";
import {
  isPasswordResetOpen,
  requestPasswordReset,
  resetPasswordByLink,
} from "./password-reset.ts";

const { db } = withDatabase();
const owner = { email: "ada@example.com", password: "correct horse battery" };
const password = "a new phrase of words";

beforeAll(async () => {
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
});
beforeEach(async () => {
  await db.signInThrottle.deleteMany();
  await db.passwordReset.deleteMany();
});

function readEnv(url: string) {
  const read = parseEnv({
    CATCHMENT_PUBLIC_URL: "https://hooks.example.test",
    SMTP_URL: url,
    CATCHMENT_MAIL_FROM: "catchment@example.test",
  });
  if (!read.ok) throw new Error("invalid");
  return read.env;
}

async function requireUser() {
  const user = await findUserCredentials(db, owner.email);
  if (user === null) throw new Error("There is no owner.");
  return user;
}

async function makeLink(): Promise<string> {
  const token = await createPasswordReset(db, owner.email);
  if (token === null) throw new Error("There is no owner.");
  return token;
}

it("a link arrives by email and sets the password once, and ends every session", async () => {
  await using mails = await startMailServer();
  const env = readEnv(mails.url);
  const { userId, passwordHash } = await requireUser();
  await createSession(db, { userId, passwordHash }, { userAgent: "", address: null });
  const other = await makeLink();
  const request = await requestPasswordReset({ db, env }, owner.email, "198.51.100.1");
  if (!request.ok) throw new Error(request.code);
  expect(mails.mails).toEqual([]);
  await request.send();
  expect(mails.mails.map(({ to }) => to)).toEqual([[owner.email]]);
  const link = /https:\/\/hooks\.example\.test\/sign-in\/reset\?token=(\S+)/;
  const token = link.exec(mails.mails[0]?.text ?? "")?.[1] ?? "";
  const stored = await db.passwordReset.findMany();
  expect(stored.some(({ tokenHash }) => Buffer.from(tokenHash).includes(token))).toBe(false);

  expect(await resetPasswordByLink({ db, sealer: testSealer }, token, "Password123")).toBe(
    "password_common",
  );
  const both = [1, 2].map(() => resetPasswordByLink({ db, sealer: testSealer }, token, password));
  expect((await Promise.all(both)).toSorted()).toEqual(["link_invalid", "reset"]);
  const after = await requireUser();
  expect(await verifyPassword(password, after.passwordHash)).toBe(true);
  expect(await listSessions(db, userId)).toEqual([]);
  expect(await db.auditEntry.findMany({ select: { event: true, actorName: true } })).toEqual([
    { event: "user.password.reset", actorName: owner.email },
  ]);
  // Another person who asked for a link doesn't get in with it.
  expect(await isPasswordResetOpen(db, other)).toBe(false);
});

it("an unknown email gets the same response and no message, and stores nothing", async () => {
  await using mails = await startMailServer();
  const request = await requestPasswordReset(
    { db, env: readEnv(mails.url) },
    "nobody@example.com",
    null,
  );
  if (!request.ok) throw new Error(request.code);
  await request.send();
  expect(mails.mails).toEqual([]);
  expect(await db.passwordReset.count()).toBe(0);
});

it("a link dies after an hour, and when the email changes", async () => {
  const [late, old] = [await makeLink(), await makeLink()];
  await db.$executeRaw`update password_resets set expires_at = now() - interval '1 second'`;
  const fresh = await makeLink();
  expect(await isPasswordResetOpen(db, late)).toBe(false);
  expect(await resetPasswordByLink({ db, sealer: testSealer }, old, password)).toBe("link_invalid");
  expect(await isPasswordResetOpen(db, fresh)).toBe(true);
  const { userId } = await requireUser();
  const session = { userId, sessionId: newId() };
  await changeEmail(db, session, "new@example.com");
  expect(await isPasswordResetOpen(db, fresh)).toBe(false);
  await changeEmail(db, session, owner.email);
});

it("the old mailbox gets no link that was made while the email changed", async () => {
  const { userId } = await requireUser();
  const session = { userId, sessionId: newId() };
  const { running } = await db.$transaction(async (tx) => {
    await changeEmail(tx, session, "new@example.com");
    const running = createPasswordReset(db, owner.email);
    await expect.poll(() => countWaiting(db)).toBe(1);
    return { running };
  });
  const token = await running;
  await changeEmail(db, session, owner.email);
  expect(token).toBeNull();
  expect(await db.passwordReset.count()).toBe(0);
});

it("requests are throttled for known and unknown emails alike, without slowing sign-ins", async () => {
  await using mails = await startMailServer();
  const env = readEnv(mails.url);
  for (const email of [owner.email, "nobody@example.com"]) {
    const codes = [];
    for (let i = 0; i < 7; i += 1) {
      if (i === 6) await prolongPauses(db);
      const request = await requestPasswordReset({ db, env }, email, "198.51.100.2");
      codes.push(request.ok ? "ok" : request.code);
    }
    expect(codes.slice(0, 6)).toEqual(Array(6).fill("ok"));
    expect(codes[6]).toBe("throttled");
  }
  const keys = await db.signInThrottle.findMany({ select: { key: true } });
  expect(keys.map(({ key }) => key)).not.toContain("address:198.51.100.2");
});
