import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readEntriesAfter } from "#lib/db/audit/audit-log.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { recordFailedSignIn, recordSignIn, recordWrongPassword } from "./record-sign-in.ts";

const { db } = withDatabase();
const accountId = newId();
const userId = newId();
const request = { ip: "203.0.113.9", userAgent: "Firefox", requestId: null };
const ada = { email: "Ada@example.com", password: "wrong wrong wrong" };

beforeAll(async () => {
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const email = "ada@example.com";
  await db.user.create({ data: { id: userId, email, name: "Ada", passwordHash: "x" } });
  await db.membership.create({ data: { accountId, userId, role: "admin" } });
});

test("sign-ins are recorded, failed ones once a minute, and unknown people never", async () => {
  const context = { db, sealer: testSealer, request };
  const person = { userId, email: "ada@example.com" };
  for (let times = 0; times < 3; times += 1) await recordWrongPassword(context, ada);
  for (let times = 0; times < 2; times += 1) await recordFailedSignIn(context, person, "code");
  await recordWrongPassword(context, { ...ada, email: "eve@example.com" });
  await recordWrongPassword(context, { email: 7, password: null });
  await recordSignIn(context, person, "password");
  await recordSignIn(context, person, "recovery code");
  const entries = await readEntriesAfter(db, accountId, { seq: 0n, limit: 10 });
  expect(entries.map(({ actorName, ip }) => [actorName, ip])).toEqual(
    Array(4).fill(["ada@example.com", "203.0.113.9"]),
  );
  const by = (way: string) => [{ path: "by", after: way }];
  expect(entries.map(({ event, changes }) => [event, JSON.parse(changes ?? "")])).toEqual([
    ["user.sign_in.failed", by("password")],
    ["user.second_factor.failed", by("code")],
    ["user.signed_in", by("password")],
    ["user.signed_in", by("recovery code")],
  ]);
  expect(JSON.stringify(entries.map(({ targets, changes }) => [targets, changes]))).not.toContain(
    "wrong",
  );
});
