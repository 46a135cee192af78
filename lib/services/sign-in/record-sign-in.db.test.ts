import { beforeAll, expect, test } from "vitest";
import { readEntriesAfter } from "#lib/db/audit/audit-log.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { newId } from "#lib/ids.ts";
import { recordFailedSignIn, recordSignIn } from "./record-sign-in.ts";

const opened = withDatabase();
const accountId = newId();
const userId = newId();
const request = { ip: "203.0.113.9", userAgent: "Firefox", requestId: null };
const ada = { email: "Ada@example.com", password: "wrong wrong wrong" };

beforeAll(async () => {
  await opened.db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const email = "ada@example.com";
  await opened.db.user.create({ data: { id: userId, email, name: "Ada", passwordHash: "x" } });
  await opened.db.membership.create({ data: { accountId, userId, role: "admin" } });
});

test("sign-ins are recorded, failed ones once a minute, and unknown people never", async () => {
  const context = { db: opened.db, sealer: testSealer, request };
  for (let times = 0; times < 3; times += 1) await recordFailedSignIn(context, ada);
  await recordFailedSignIn(context, { ...ada, email: "eve@example.com" });
  await recordFailedSignIn(context, { email: 7, password: null });
  await recordSignIn(context, ada);
  await recordSignIn(context, ada);
  const entries = await readEntriesAfter(opened.db, accountId, { seq: 0n, limit: 10 });
  expect(entries.map(({ event, actorName, ip }) => [event, actorName, ip])).toEqual([
    ["user.sign_in.failed", "ada@example.com", "203.0.113.9"],
    ["user.signed_in", "ada@example.com", "203.0.113.9"],
    ["user.signed_in", "ada@example.com", "203.0.113.9"],
  ]);
  expect(JSON.stringify(entries.map(({ targets, changes }) => [targets, changes]))).not.toContain(
    "wrong",
  );
});
