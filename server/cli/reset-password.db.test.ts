import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { createSession, listSessions } from "#lib/db/accounts/sessions.ts";
import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { newPasswordSchema } from "#lib/schema/account/sign-in.ts";
import { ensureFirstOwner } from "#lib/services/account/first-owner.ts";
import { hashNewPassword, verifyPassword } from "#lib/services/account/passwords.ts";
import { projectRoot } from "#server/system/paths.ts";

const { db, url } = withDatabase();
const owner = { email: "ada@example.com", password: "correct horse battery" };
const client = { userAgent: "", address: null };

beforeAll(async () => {
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
});

function runCommand(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["server/cli/catchment-server.ts", ...args],
    {
      cwd: projectRoot,
      encoding: "utf8",
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE_URL: url,
        CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
      },
    },
  );
  return { status, stdout, stderr };
}

test("a password is reset on the machine: printed once, all sessions ended, and logged", async () => {
  const user = await findUserCredentials(db, owner.email);
  if (user === null) throw new Error("There is no owner.");
  await createSession(db, user, client);
  const { status, stdout, stderr } = runCommand("reset-password", "Ada@Example.com");
  expect([status, stderr]).toEqual([0, expect.stringContaining("is\n\n    ")]);
  const password = /^ {4}(\S+)$/m.exec(stderr)?.[1] ?? "";
  expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect(newPasswordSchema.safeParse(password).success).toBe(true);
  expect(await hashNewPassword(password)).not.toBeNull();
  expect(JSON.parse(stdout)).toMatchObject({ event: "password.reset", userId: user.userId });
  expect(stdout).not.toContain(password);
  expect(await db.auditEntry.findMany({ select: { event: true, actorName: true } })).toEqual([
    { event: "user.password.reset", actorName: "Command line" },
  ]);
  expect(await listSessions(db, user.userId)).toEqual([]);
  const after = await findUserCredentials(db, owner.email);
  expect(await verifyPassword(password, after?.passwordHash ?? null)).toBe(true);
  expect(await verifyPassword(owner.password, after?.passwordHash ?? null)).toBe(false);
});

test.each([
  [["reset-password", "nobody@example.com"], 1, "No user has the email"],
  [["reset-password", "nonsense"], 1, "is not an email address"],
  [["reset-password"], 2, "reset-password needs EMAIL."],
  [["explode"], 2, "There is no command explode."],
])("%j fails with one sentence", (args, code, sentence) => {
  const { status, stderr } = runCommand(...args);
  expect(status).toBe(code);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("    at ");
});
