import { expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { cancelStatements } from "#lib/db/testing/cancel-statements.ts";
import { addAction, addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const patience = { interval: 20 };
const secret = "a secret";

async function addHeavyHook(
  input: Record<string, unknown> = {},
  subscription: Parameters<typeof addSubscription>[2] = {},
): Promise<TestHook> {
  const hook = await addHook(bench.db, {
    ...{ provider: "gocardless", signingSecret: secret },
    publish: { eventType: "payment.changed", recipientPath: null },
    ...input,
  });
  await addAction(bench.db, hook);
  await addSubscription(bench.db, hook.accountId, subscription);
  const name = `take_long_${hook.id.replaceAll("-", "")}`;
  // Thousands of events for many subscriptions take that long.
  const rows = `before insert on queue for each row when (new.account_id = '${hook.accountId}')`;
  await cancelStatements(bench.db, { name, rows, onlyShort: true });
  return hook;
}

function deliver(hook: TestHook, ...ids: string[]) {
  const scheme = findProvider(hook.provider)?.scheme;
  if (scheme === undefined) throw new Error(hook.provider);
  const events = ids.map((id) => ({
    id,
    name: "n",
    resource_type: "payments",
    action: "paid_out",
  }));
  const body = Buffer.from(JSON.stringify({ events, meta: {} }));
  const signed = signRequest(scheme, secret, { body, timestampMs: Date.now() });
  const headers = { "content-type": "application/json", ...signed };
  return send(bench.caught.port, hook.path, { body: new Uint8Array(body), headers });
}

const countRuns = ({ accountId }: TestHook) => bench.db.queuedRun.count({ where: { accountId } });

test("a batch whose statement needs more time than a response may take is stored, once, and then a duplicate", async () => {
  const hook = await addHeavyHook();
  const ids = ["EV1", "EV2", "EV3"];
  expect((await deliver(hook, ...ids)).status).toBe(503);
  await expect.poll(() => countRuns(hook), patience).toBe(6);
  const again = await deliver(hook, ...ids);
  expect([again.status, again.json.status]).toEqual([200, "duplicate"]);
  expect(await countRuns(hook)).toBe(6);
  expect(await bench.db.event.count({ where: { accountId: hook.accountId } })).toBe(3);
});

test("a batch that would hold up an ordered subscription is left to its provider", async () => {
  const inOrder = await addHeavyHook({}, { ordered: true });
  const other = await addHeavyHook();
  expect((await deliver(inOrder, "EV1")).status).toBe(503);
  // One is stored at a time, so this one comes after whatever the first could have started.
  const again = async () => (await deliver(other, "EV1")).json.status;
  await expect.poll(again, patience).toBe("duplicate");
  expect(await countRuns(inOrder)).toBe(0);
});

test("a batch of events without a key is left to its provider, and is not stored again and again", async () => {
  // The events of this provider have no ids.
  const dedupe = [{ from: "header", name: "x-none" }];
  const keyless = await addHeavyHook({ provider: "pusher", replayProtection: false, dedupe });
  const keyed = await addHeavyHook();
  expect((await deliver(keyless, "EV1")).status).toBe(503);
  expect((await deliver(keyed, "EV1")).status).toBe(503);
  // The second is stored after anything that the first could have started.
  await expect.poll(() => countRuns(keyed), patience).toBe(2);
  expect(await readDeliveries(bench.db, keyless)).toEqual([]);
});
