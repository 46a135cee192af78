import { expect, test } from "vitest";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { sendJson, startTestCatch } from "#server/testing/catch-harness.ts";
import { newBody, signStripe, stripeSecret, verifying } from "#server/testing/signers.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

function deliver(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  port = bench.caught.port,
) {
  return sendJson(port, path, body, headers);
}

test(
  "a hook without its secret rejects, and a secret set through " +
    "another connection applies to the very next delivery",
  async () => {
    // Compares a process that gets notifications with one that doesn't and only has the check before
    // a rejection.
    const nowhere = "postgresql://nobody@127.0.0.1:1/nothing";
    const deaf = await startTestCatch(bench.url, { databaseUrl: nowhere });
    for (const { port } of [bench.caught, deaf]) {
      for (let round = 0; round < 5; round += 1) {
        const hook = await addHook(bench.db, verifying("stripe"));
        const body = newBody();
        const missing = await deliver(hook.path, body, signStripe(body), port);
        expect([missing.status, missing.json.code]).toEqual([401, "signature_invalid"]);
        expect(missing.json.detail).toContain("no signing secret");
        const patch = hookPatchSchema.parse({ signingSecret: stripeSecret });
        await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
        expect((await deliver(hook.path, body, signStripe(body), port)).status).toBe(200);
      }
    }
    await deaf.stop();
  },
);

test("a replaced secret stops working within a second", async () => {
  const hook = await addHook(bench.db, verifying("stripe", stripeSecret));
  const attempt = async () => {
    const body = newBody();
    return (await deliver(hook.path, body, signStripe(body))).status;
  };
  expect(await attempt()).toBe(200);
  const patch = hookPatchSchema.parse({ signingSecret: "whsec_a_new_one_entirely" });
  await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
  await expect.poll(attempt, { interval: 10 }).toBe(401);
});

test("secrets sealed by another key or moved from another hook are ignored", async () => {
  const [victim, thief] = [
    await addHook(bench.db, verifying("stripe", stripeSecret)),
    await addHook(bench.db, verifying("stripe")),
  ];
  await bench.db
    .$executeRaw`update hook_secrets set hook_id = ${thief.id}::uuid, account_id = ${thief.accountId}::uuid where hook_id = ${victim.id}::uuid`;
  const body = newBody();
  expect((await deliver(thief.path, body, signStripe(body))).status).toBe(401);
});

test("a token in the query is verified and never stored", async () => {
  const verification = { kind: "token", source: { from: "query", name: "Token" } };
  const hook = await addHook(bench.db, {
    provider: "custom",
    signingSecret: "query-token-secret",
    verification,
  });
  for (const query of [
    "a=1&Token=query-token-secret",
    "%54oken=query-token-secret",
    "Token=wrong-query-token",
  ]) {
    await deliver(`${hook.path}?${query}`, "{}");
  }
  const rows = await readDeliveries(bench.db, hook);
  expect(rows.map(({ status }) => status)).toEqual(["accepted", "accepted", "rejected"]);
  expect(JSON.stringify(rows)).not.toContain("query-token");
});

test("a token in the path below the catch URL is verified and never stored", async () => {
  const verification = { kind: "token", source: { from: "path" } };
  const signingSecret = "path-token secret/";
  const hook = await addHook(bench.db, { provider: "custom", signingSecret, verification });
  const token = encodeURIComponent(signingSecret);
  for (const below of [`/${token}`, `/${token}/orders?a=1`, "/wrong-path-token", ""])
    await deliver(hook.path + below, "{}");
  const rows = await readDeliveries(bench.db, hook);
  const statuses = rows.map(({ status }) => status);
  expect(statuses).toEqual(["accepted", "accepted", "rejected", "rejected"]);
  expect(JSON.stringify(rows)).not.toContain("path-token");
});

test("credentials in headers are never stored, whether the delivery is accepted or rejected", async () => {
  const credentials = {
    "X-Api-Key": "key-7c0d",
    Authorization: "Bearer bearer-7c0d",
    Cookie: "session=cookie-7c0d",
  };
  const open = await addHook(bench.db);
  const closed = await addHook(bench.db, verifying("stripe", stripeSecret));
  expect((await deliver(open.path, newBody(), credentials)).status).toBe(200);
  expect((await deliver(closed.path, newBody(), credentials)).status).toBe(401);
  for (const hook of [open, closed]) {
    const [row] = await readDeliveries(bench.db, hook);
    const headers = new Map(row?.headers as [string, string][]);
    for (const name of Object.keys(credentials))
      expect([name, headers.get(name)]).toEqual([name, "[redacted]"]);
    expect(JSON.stringify(row)).not.toContain("7c0d");
  }
});

test.each([
  [
    "figma",
    (passcode: string) => ({
      passcode,
      event_type: "FILE_UPDATE",
      webhook_id: "w1",
      file_key: "k",
    }),
  ],
  [
    "microsoft-graph",
    (clientState: string) => ({
      value: [{ clientState, changeType: "updated", subscriptionId: "s" }],
    }),
  ],
])("%s: a secret in the body is not stored in plain text", async (provider, bodyOf) => {
  const secret = 'pass"code/with ☃ 1';
  const hook = await addHook(bench.db, { provider, signingSecret: secret, splitBatches: false });
  expect((await deliver(hook.path, JSON.stringify(bodyOf(secret)))).status).toBeLessThan(300);
  expect((await deliver(hook.path, JSON.stringify(bodyOf("another")))).status).toBe(401);
  const rows = await readDeliveries(bench.db, hook);
  const accepted = rows.find(({ status }) => status === "accepted");
  const text = Buffer.from(accepted?.body ?? []).toString("utf8");
  expect(JSON.parse(text)).toEqual(bodyOf("[redacted]"));
});
