import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { openProblem } from "#lib/db/problems/record-problems.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createChannel } from "#lib/services/alerts/alert-channels.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";

const queue = await createQueueFixture();
const { db } = queue;
afterAll(() => queue[Symbol.asyncDispose]());

const secretKey = "a secret for tests that is long enough";
const readAlerts = () => db.alert.findMany({ orderBy: { id: "asc" }, include: { attempts: true } });

const script = fileURLToPath(new URL("worker.ts", import.meta.url));

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: queue.url,
      CATCHMENT_SECRET_KEY: secretKey,
      CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

it("a worker killed while it alerts: every alert arrives, under the key of its first try", {
  tags: "variant",
}, async () => {
  let isHanging = true;
  await using own = await startReceiver((response) => {
    if (!isHanging) response.end("ok");
  });
  const accounts = await Promise.all(Array.from({ length: 5 }, () => queue.addActionQueue()));
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  for (const { accountId, hookId } of accounts) {
    const context = testContext(db, accountId, { variables, sealer: openSealer(secretKey) });
    await createChannel(context, { name: "Own", kind: "url", url: own.url });
    const details = { kind: "shape" as const, eventType: "a.b", changes: [], actions: [] };
    await openProblem(db, { accountId, hookId, kind: "shape", key: "s", details, at: new Date() });
  }
  const first = await startWorker();
  await expect.poll(() => own.calls.length, { interval: 20 }).toBe(5);
  first.kill("SIGKILL");
  await once(first, "exit");
  isHanging = false;
  // The lease ends.
  await db.$executeRaw`update alerts set leased_until = now()`;
  const second = await startWorker();
  const states = async () => (await readAlerts()).map(({ state }) => state);
  await expect.poll(states, { interval: 50 }).toEqual(Array(5).fill("sent"));
  second.kill("SIGTERM");
  await once(second, "exit");

  const keys = own.calls.map(({ headers }) => String(headers["webhook-id"]));
  expect(keys).toHaveLength(10);
  expect(new Set(keys).size).toBe(5);
  expect(keys.slice(5).toSorted()).toEqual(keys.slice(0, 5).toSorted());
  for (const { attempts } of await readAlerts())
    expect(attempts.toSorted((a, b) => a.number - b.number)).toMatchObject([
      { isSent: null, durationMs: null },
      { isSent: true },
    ]);
});
