import { TOTP } from "otpauth";
import { beforeAll, expect, it } from "vitest";
import { resetPassword } from "#lib/db/sign-in/password-resets.ts";
import { countRecoveryCodes, hasTwoFactor } from "#lib/db/sign-in/totp-secrets.ts";
import { prolongPauses } from "#lib/db/testing/prolong-pauses.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ensureFirstOwner } from "#lib/services/account/first-owner.ts";
import { hashPassword } from "#lib/services/account/passwords.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import {
  checkSecondFactor,
  confirmTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  turnOffTwoFactor,
} from "./two-factor.ts";

const { db } = withDatabase({ poolSize: 8 });
let context: ServiceContext;
let userId: string;
let app: TOTP;
let codes: readonly string[];
const owner = { email: "ada@example.com", password: "correct horse battery" };
const browser = { userAgent: "", address: null, findDevice: async () => null };
const nowMs = Date.now();

beforeAll(async () => {
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
  const { userId: id, accountId } = await db.membership.findFirstOrThrow();
  userId = id;
  const { email } = owner;
  const user = { accountId, userId, email, sessionId: id, maskedFields: [] };
  const actor = { type: "user", role: "owner", ...user } as const;
  context = { ...testContext(db, accountId, { actor }), now: () => new Date(nowMs) };
});

/** The code that the app shows, some steps of 30 seconds from now. */
const codeAt = (steps: number) => app.generate({ timestamp: nowMs + steps * 30_000 });
const check = (code: string, steps = 0, address = "198.51.100.1") =>
  checkSecondFactor(
    { db, sealer: testSealer },
    { userId, code },
    { address, nowMs: nowMs + steps * 30_000 },
  );

it("two-factor is on only once a code of the app was confirmed, and its secret is stored sealed", async () => {
  const abandoned = await startTwoFactor(context, { password: owner.password, browser });
  const started = await startTwoFactor(context, { password: owner.password, browser });
  expect(started.secret).not.toBe(abandoned.secret);
  app = new TOTP({ secret: started.secret });
  await expect(confirmTwoFactor(context, { code: "000000" })).rejects.toMatchObject({
    errors: [{ path: "code" }],
  });
  expect(await hasTwoFactor(db, userId)).toBe(false);
  const confirmed = await confirmTwoFactor(context, { code: codeAt(0) });
  codes = confirmed.recoveryCodes;
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  expect(await hasTwoFactor(db, userId)).toBe(true);
  const [{ ciphertext } = { ciphertext: Buffer.of() }] = await db.totpSecret.findMany();
  expect(Buffer.from(ciphertext).includes(Buffer.from(app.secret.buffer))).toBe(false);
  await expect(
    startTwoFactor(context, { password: owner.password, browser }),
  ).rejects.toMatchObject({ code: "conflict" });
});

it("a code works once, also in two browsers at once, and so does a recovery code", async () => {
  // The one that confirmed is used up.
  expect(await check(codeAt(0))).toEqual({ ok: false, code: "wrong" });
  const both = await Promise.all([check(codeAt(1), 1), check(codeAt(1), 1)]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  // An older one than the last is used up too.
  expect(await check(codeAt(0), 1)).toMatchObject({ ok: false });
  const [code = ""] = codes;
  const typed = ` ${code.toUpperCase()} `;
  const twice = await Promise.all([check(typed), check(typed)]);
  expect(twice.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect(await countRecoveryCodes(db, userId)).toBe(9);
});

it("guesses are throttled, whatever their form", async () => {
  const guess = (i: number) =>
    check(i % 2 === 0 ? String(i).padStart(6, "0") : `aaaa-bbbb-cccc-ddd${i}`, 0, "198.51.100.9");
  const results = [];
  for (let i = 0; i < 8; i += 1) {
    if (i === 7) await prolongPauses(db);
    results.push(await guess(i));
  }
  expect(results.slice(0, 6).every((result) => !result.ok && result.code === "wrong")).toBe(true);
  expect(results[7]).toMatchObject({ ok: false, code: "throttled" });
});

it("turning on, new codes, and turning off need the password, and the old codes stop working", async () => {
  const wrong = { password: "not the password", browser };
  for (const change of [startTwoFactor, renewRecoveryCodes, turnOffTwoFactor])
    await expect(change(context, wrong)).rejects.toMatchObject({ errors: [{ path: "password" }] });
  const given = { password: owner.password, browser };
  const renewed = await renewRecoveryCodes(context, given);
  expect(await check(codes[1] ?? "", 0, "198.51.100.2")).toMatchObject({ ok: false });
  expect(await check(renewed.recoveryCodes[0] ?? "", 0, "198.51.100.2")).toEqual({
    ok: true,
    by: "recovery code",
  });
  await turnOffTwoFactor(context, given);
  expect(await hasTwoFactor(db, userId)).toBe(false);
  expect(await countRecoveryCodes(db, userId)).toBe(0);
  const events = await db.auditEntry.findMany({ orderBy: { seq: "asc" } });
  expect(events.map(({ event }) => event)).toEqual([
    "user.two_factor.enabled",
    "user.recovery_codes.renewed",
    "user.two_factor.disabled",
  ]);
});

it("a reset on the machine turns it off, for a person who lost their app and their codes", async () => {
  const { secret } = await startTwoFactor(context, { password: owner.password, browser });
  app = new TOTP({ secret });
  await confirmTwoFactor(context, { code: codeAt(0) });
  const passwordHash = await hashPassword("a new phrase of words");
  await db.$transaction((tx) => resetPassword(tx, owner.email, passwordHash));
  expect(await hasTwoFactor(db, userId)).toBe(false);
});
