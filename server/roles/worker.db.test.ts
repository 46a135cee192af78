import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, it } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { waitFor } from "#server/testing/wait-for.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() =>
  emptyTables(queue.db, "queue", "runs", "attempts", "deliveries", "accounts", "workers"),
);

const script = fileURLToPath(new URL("worker.ts", import.meta.url));
const patience = { interval: 20 };

async function startWorkerProcess(
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: queue.url,
      CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
      CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The worker ended with ${code} before it was ready`);
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  expect(message).toEqual({ ready: true });
  return child;
}

const request = (url: string) => ({
  method: "POST",
  url,
  headers: {},
  query: {},
  body: { id: "{{ id }}" },
});

it("a worker killed in the middle of calls: its runs start again " +
  "within 5 s, each with an attempt of unknown outcome", { tags: "variant" }, async () => {
  let isHanging = true;
  await using receiver = await startReceiver((response) => {
    if (!isHanging) response.end("ok");
  });
  const actionQueue = await queue.addActionQueue({
    request: request(receiver.url),
    timeoutMs: 60_000,
  });
  const ids = await queue.addRuns(actionQueue, 20, { body: '{"id":"evt_1"}' });
  const first = await startWorkerProcess();
  await expect.poll(() => receiver.calls.length, patience).toBe(20);
  const second = await startWorkerProcess();
  isHanging = false;

  first.kill("SIGKILL");
  const again = waitFor("the calls to be made again", () => receiver.calls.length === 40);
  expect(await isInTime(again, 5_000, () => queue.readRun(ids[0] ?? ""))).toBe(true);
  await again;

  for (const id of ids) {
    await expect.poll(async () => (await queue.readRun(id)).state, patience).toBe("succeeded");
    expect(await queue.readAttempts(id)).toMatchObject([
      { number: 1, error_code: "outcome_unknown", late: false },
      { number: 2, error_code: null, late: false },
    ]);
  }
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
  expect(await queue.db.worker.count()).toBe(0);
});

it("a standalone worker reports its health on its port, and nothing else", {
  tags: "variant",
}, async () => {
  const port = await findFreePort();
  const worker = await startWorkerProcess({ CATCHMENT_HEALTH_PORT: String(port) });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await expect.poll(async () => (await ask("/api/health")).status, patience).toBe(200);
  expect(await (await ask("/api/health")).json()).toEqual({ status: "ok" });
  expect((await ask("/api/v1/hooks")).status).toBe(404);
  worker.kill("SIGTERM");
  expect(await once(worker, "exit")).toEqual([0, null]);
});

it("a worker whose parent process is gone ends", async () => {
  const worker = await startWorkerProcess();
  worker.disconnect();
  expect(await once(worker, "exit")).toEqual([1, null]);
});
