/** Duplicates that are events of their own are shown, and count as events after one call. */
import { expect, test } from "vitest";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { replayDelivery } from "#lib/services/deliveries/replay-deliveries.ts";
import { countDuplicates } from "#lib/services/hooks/check-identity.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { sendJson } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const byId = { from: "body", path: "id" };
const order = (state: string) => ({ id: 7, state });

async function addShop(input: Parameters<typeof addHook>[1] = {}): Promise<TestHook> {
  const hook = await addHook(bench.db, { dedupe: byId, ...input });
  await addAction(bench.db, hook);
  return hook;
}

async function sendStates(hook: TestHook, ...states: string[]): Promise<string[]> {
  const said = [];
  for (const state of states)
    said.push((await sendJson(bench.caught.port, hook.path, order(state))).json.status ?? "");
  return said;
}

/**
 * Sends new states until one is accepted: the process that catches hears of a changed rule a moment
 * after it was saved.
 *
 * @returns how many were duplicates until then
 */
async function sendUntilCounted(hook: TestHook): Promise<number> {
  let early = -1;
  await expect.poll(() => sendStates(hook, `new ${++early}`)).toEqual(["accepted"]);
  return early;
}

const statesOf = async (hook: TestHook) =>
  (await readDeliveries(bench.db, hook)).map(({ status, body }) => [
    JSON.parse(Buffer.from(body).toString()).state,
    status,
  ]);
const count = (hook: TestHook, acceptStored = true) =>
  countDuplicates(testContext(bench.db, hook.accountId), { id: hook.id, acceptStored });
const runsOf = (hook: TestHook) => countRuns(bench.db, { hookId: hook.id });

test("a duplicate that says something else than its first delivery is shown as such", async () => {
  const hook = await addShop();
  await sendStates(hook, "paid", "paid", "lost", "shipped");
  const big = { id: 8, text: "x".repeat(300_000) };
  for (const text of [big.text, big.text, "y".repeat(300_000), "short"])
    await sendJson(bench.caught.port, hook.path, { id: 8, text });
  await sendJson(bench.caught.port, `${hook.path}?again`, order("paid"));
  const { items } = await listDeliveries(bench.db, hook.accountId, {}, { limit: 20 });
  const found = items.toReversed().map(({ duplicateDiffers }) => duplicateDiffers);
  expect(found).toEqual([null, false, true, true, null, null, null, true, true]);
  for (const { id, duplicateDiffers } of items)
    expect((await getDelivery(bench.db, hook.accountId, id)).duplicateDiffers).toBe(
      duplicateDiffers,
    );
});

test("counted as events, stored duplicates run once, and a repeat of each stays a duplicate", async () => {
  const hook = await addShop();
  const sent = ["paid", "paid", "shipped", "shipped", "done"];
  expect(await sendStates(hook, ...sent)).toEqual([
    "accepted",
    ...sent.slice(1).map(() => "duplicate"),
  ]);
  const counted = await Promise.all([count(hook), count(hook)]);
  expect(counted.map(({ accepted }) => accepted).toSorted()).toEqual([0, 2]);
  expect(counted[0]?.dedupe).toEqual({ from: "all", of: [byId, { from: "request" }] });
  expect(await statesOf(hook)).toEqual([
    ["paid", "accepted"],
    ["paid", "duplicate"],
    ["shipped", "accepted"],
    ["shipped", "duplicate"],
    ["done", "accepted"],
  ]);
  expect(await runsOf(hook)).toBe(3);
  // From now on: a retry of any of them runs nothing, a new state runs.
  const early = await sendUntilCounted(hook);
  const retries = ["paid", "shipped", "done"];
  expect(await sendStates(hook, ...retries)).toEqual(retries.map(() => "duplicate"));
  expect(await statesOf(hook)).toHaveLength(sent.length + early + 1 + retries.length);
  expect(await runsOf(hook)).toBe(4);
});

test("only from now on, stored duplicates stay as they are", async () => {
  const hook = await addShop();
  await sendStates(hook, "paid", "shipped");
  expect(await count(hook, false)).toMatchObject({ accepted: 0, kept: 0 });
  expect((await statesOf(hook)).map(([, status]) => status)).toEqual(["accepted", "duplicate"]);
  await sendUntilCounted(hook);
});

test("a duplicate on which an action has run already is left alone", async () => {
  const hook = await addShop();
  await sendStates(hook, "paid", "shipped");
  const [, shipped] = await readDeliveries(bench.db, hook);
  const context = testContext(bench.db, hook.accountId);
  await replayDelivery(context, { id: shipped?.id ?? "" });
  expect(await count(hook)).toMatchObject({ accepted: 0, kept: 1 });
  expect(await runsOf(hook)).toBe(2);
});

test("an unverified duplicate of a hook that verifies now is left alone", async () => {
  const hook = await addShop();
  await sendStates(hook, "paid", "shipped");
  await bench.db.hook.update({ where: { id: hook.id }, data: { provider: "stripe" } });
  expect(await count(hook)).toMatchObject({ accepted: 0, kept: 1 });
});

test("a hook of another account isn't found", async () => {
  const [mine, other] = [await addShop(), await addShop()];
  await sendStates(other, "paid", "shipped");
  const context = testContext(bench.db, mine.accountId);
  await expect(countDuplicates(context, { id: other.id })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await runsOf(other)).toBe(1);
});
