import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import Stripe from "stripe";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { log } from "#lib/base/log.ts";
import { readSpools } from "#lib/db/spool/spool-reports.ts";
import { cancelStatements } from "#lib/db/testing/cancel-statements.ts";
import { type FaultProxy, startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { addAction, addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { openSpool } from "#lib/spool/open-spool.ts";
import { requestAside } from "#lib/spool/records/aside-requests.ts";
import { testKeys } from "#lib/spool/testing/test-keys.ts";
import { type CatchUnderTest, sendJson, startTestCatch } from "#server/testing/catch-harness.ts";
import { newBody, signStripe, stripeSecret, verifying } from "#server/testing/signers.ts";

const { db, url } = withDatabase();
let proxy: FaultProxy;
let folder: string;
let running: CatchUnderTest[];

beforeAll(async () => {
  proxy = await startFaultProxy(url);
});
afterAll(() => proxy.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  running = [];
  proxy.setMode("pass");
});
afterEach(async () => {
  proxy.setMode("pass");
  for (const caught of running) await caught.stop();
  rmSync(folder, { recursive: true });
});

/** The database is reached through the proxy. The test itself reaches it always. */
async function start(): Promise<CatchUnderTest> {
  const options = { sealer: testSealer, keys: testKeys, processes: 1, minFreeBytes: 0 };
  const spool = await openSpool({ folder, broker: undefined, maxBytes: 1e9 }, options);
  const caught = await startTestCatch(proxy.url, { spool });
  running.push(caught);
  return caught;
}

const patience = { interval: 20 };

async function addStripeHook(): Promise<TestHook> {
  const hook = await addHook(db, verifying("stripe", stripeSecret));
  await addAction(db, hook);
  return hook;
}

function deliver(
  { port }: CatchUnderTest,
  { path }: TestHook,
  body = newBody(),
  sign = signStripe,
) {
  return sendJson(port, path, body, sign(body));
}

async function untilStored(hook: TestHook, count: number): Promise<void> {
  const read = async () => (await readDeliveries(db, hook)).length;
  await expect.poll(read, patience).toBe(count);
}

async function countRuns({ id }: TestHook): Promise<number> {
  return await db.queuedRun.count({ where: { hookId: id } });
}

/** Blocks all storing, but no reading, until it is released. */
async function holdStorage(): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("lock table deliveries in share mode");
  return () => holder.end();
}

test("while the database is away, deliveries are accepted, and are stored and run once it is back", async () => {
  const hook = await addStripeHook();
  const caught = await start();
  const first = newBody();
  expect((await deliver(caught, hook, first)).status).toBe(200);
  proxy.setMode("refuse");
  const second = newBody();
  for (const body of [second, second, first]) {
    const response = await deliver(caught, hook, body);
    // No verdict about duplicates yet.
    expect([response.status, response.json.status]).toEqual([200, "accepted"]);
  }
  expect(caught.running.spool?.state.deliveries).toBe(3);
  proxy.setMode("pass");
  await untilStored(hook, 4);
  const stored = await readDeliveries(db, hook);
  expect(stored.map(({ status }) => status)).toEqual([
    "accepted",
    "accepted",
    "duplicate",
    "duplicate",
  ]);
  expect(stored.every(({ responseMs }) => (responseMs ?? 1e9) < 10_000)).toBe(true);
  expect(await countRuns(hook)).toBe(2);
  // Until the spool is empty, new deliveries go behind what waits.
  const again = async () => (await deliver(caught, hook, first)).json.status;
  await expect.poll(again, patience).toBe("duplicate");
  expect(caught.running.spool?.isAway).toBe(false);
});

test("a database that hangs costs no delivery, and what it stores late isn't stored twice", async () => {
  const hook = await addStripeHook();
  const caught = await start();
  expect((await deliver(caught, hook)).status).toBe(200);
  const release = await holdStorage();
  expect((await deliver(caught, hook)).json.status).toBe("accepted");
  expect(caught.running.spool?.counts.spooled).toBe(1);
  await release();
  await untilStored(hook, 2);
  await expect.poll(() => caught.running.spool?.state.deliveries, patience).toBe(0);
  expect(await countRuns(hook)).toBe(2);
});

test("pages know what waits, also after a restart, until it is stored", {
  tags: "variant",
}, async () => {
  const hook = await addStripeHook();
  const before = await start();
  expect((await deliver(before, hook)).status).toBe(200);
  proxy.setMode("refuse");
  for (let sent = 0; sent < 3; sent += 1) expect((await deliver(before, hook)).status).toBe(200);
  await before.stop();
  const release = await holdStorage();
  proxy.setMode("pass");
  const caught = await start();
  const readWaiting = async () => (await readSpools(db)).waiting;
  await expect.poll(readWaiting, patience).toBe(3);
  expect((await readSpools(db)).oldestAt?.getTime()).toBeLessThan(Date.now());
  await release();
  await untilStored(hook, 4);
  await expect.poll(readWaiting, patience).toBe(0);
  expect(caught.running.spool?.state.setAside).toBe(0);
});

test("a process that starts while the database is away verifies with what it knew, and fails closed", async () => {
  const hook = await addStripeHook();
  const unknown = await addStripeHook();
  const before = await start();
  expect((await deliver(before, hook)).status).toBe(200);
  await before.stop();
  proxy.setMode("refuse");
  const caught = await start();
  const good = await deliver(caught, hook);
  expect([good.status, good.json.status]).toEqual([200, "accepted"]);
  // The secret may have changed since, and a new hook may have this URL.
  const forged = await deliver(caught, hook, newBody(), () => ({ "stripe-signature": "t=1,v1=0" }));
  expect([forged.status, forged.json.code]).toEqual([503, "unavailable"]);
  const other = await deliver(caught, unknown);
  expect([other.status, other.json.code]).toEqual([503, "unavailable"]);
  await caught.stop();
  proxy.setMode("pass");
  await start();
  await untilStored(hook, 2);
});

test("a changed hook is kept as it is now, and a deleted one isn't kept", async () => {
  const [changed, deleted] = [await addStripeHook(), await addStripeHook()];
  const before = await start();
  for (const hook of [changed, deleted]) expect((await deliver(before, hook)).status).toBe(200);
  const patch = hookPatchSchema.parse({ signingSecret: "whsec_a_new_one_entirely" });
  const context = testContext(db, changed.accountId);
  await before.stop();
  // No process is told: the next one has to ask.
  await updateHook(context, { id: changed.id, ...patch });
  await db.hook.update({ where: { id: deleted.id }, data: { deletedAt: new Date() } });
  const asking = await start();
  const countKept = () => readdirSync(join(folder, "hooks")).length;
  await expect.poll(countKept, patience).toBe(1);
  await asking.stop();
  proxy.setMode("refuse");
  const caught = await start();
  expect((await deliver(caught, changed)).status).toBe(503);
  const secret = "whsec_a_new_one_entirely";
  const sign = (payload: string) => ({
    "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
  });
  expect((await deliver(caught, changed, newBody(), sign)).status).toBe(200);
  expect((await deliver(caught, deleted)).status).toBe(503);
});

test("no file names a hook, its URL, or its secret", async () => {
  const hook = await addStripeHook();
  const caught = await start();
  expect((await deliver(caught, hook)).status).toBe(200);
  const hooks = join(folder, "hooks");
  await expect.poll(() => readdirSync(hooks).length, patience).toBe(1);
  const [name = ""] = readdirSync(hooks);
  const bytes = readFileSync(join(hooks, name)).toString("latin1");
  for (const secret of [hook.key, hook.id, stripeSecret])
    expect(`${name}${bytes}`).not.toContain(secret);
});

test("a hook whose action replies gets 202 at once, and the action runs later", async () => {
  const hook = await addHook(db);
  const actionId = await addAction(db, hook);
  const patch = hookPatchSchema.parse({ reply: { actionId, waitSeconds: 1 } });
  await updateHook(testContext(db, hook.accountId), { id: hook.id, ...patch });
  const caught = await start();
  expect((await sendJson(caught.port, hook.path, { id: 1 })).status).toBe(202);
  proxy.setMode("refuse");
  expect((await sendJson(caught.port, hook.path, { id: 2 })).status).toBe(202);
  expect(caught.running.spool?.counts.spooled).toBe(1);
  proxy.setMode("pass");
  await untilStored(hook, 2);
  expect(await countRuns(hook)).toBe(2);
});

test("a delivery whose statement needs more time than others may take doesn't keep them from being stored", async () => {
  const [heavy, other] = [await addStripeHook(), await addStripeHook()];
  const caught = await start();
  for (const hook of [heavy, other]) expect((await deliver(caught, hook)).status).toBe(200);
  // Runs of thousands of events for many actions take that long.
  await cancelStatements(db, {
    name: "take_long",
    rows: `before insert on queue for each row when (new.hook_id = '${heavy.id}')`,
    onlyShort: true,
  });
  proxy.setMode("refuse");
  for (const hook of [other, heavy, other]) expect((await deliver(caught, hook)).status).toBe(200);
  proxy.setMode("pass");
  await untilStored(other, 3);
  await untilStored(heavy, 2);
  await expect.poll(() => caught.running.spool?.state.deliveries, patience).toBe(0);
  expect([await countRuns(heavy), caught.running.spool?.state.setAside]).toEqual([2, 0]);
});

test("one that PostgreSQL always cancels is named, and set aside only if the operator asks for it", {
  tags: "variant",
}, async () => {
  const [heavy, other] = [await addStripeHook(), await addStripeHook()];
  const caught = await start();
  for (const hook of [heavy, other]) expect((await deliver(caught, hook)).status).toBe(200);
  await cancelStatements(db, {
    name: "always_cancel",
    rows: `before insert on queue for each row when (new.hook_id = '${heavy.id}')`,
    onlyShort: false,
  });
  const logged = vi.spyOn(log, "error");
  onTestFinished(() => logged.mockRestore());
  proxy.setMode("refuse");
  const responses = [];
  for (const hook of [other, heavy, heavy, other]) responses.push(await deliver(caught, hook));
  proxy.setMode("pass");
  const ids = responses.slice(1, 3).map(({ json }) => String(json.deliveryId));
  for (const deliveryId of ids) {
    const named = { deliveryId, hookId: heavy.id, accountId: heavy.accountId, reason: "57014" };
    const wasNamed = expect.objectContaining(named);
    await vi.waitFor(() => expect(logged).toHaveBeenCalledWith("spool.held_up", wasNamed), 120_000);
    // What came before it is stored. Nothing is set aside by itself, and the rest keeps its place.
    await untilStored(other, 2);
    expect(caught.running.spool?.state.deliveries).toBe(4);
    await requestAside(folder, deliveryId);
  }
  await untilStored(other, 3);
  await expect.poll(() => caught.running.spool?.state.deliveries, patience).toBe(0);
  expect(caught.running.spool?.state.setAside).toBe(2);
  expect(readdirSync(join(folder, "set-aside")).sort()).toEqual(ids.map((id) => `${id}.spool`));
  const hasNoRequest = () => !readdirSync(folder).some((name) => name.endsWith(".to-set-aside"));
  await expect.poll(hasNoRequest, patience).toBe(true);
});
