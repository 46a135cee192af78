/** Several catch processes on one port, as they are really started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeAll, expect, test } from "vitest";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { sendJson } from "#server/testing/catch-harness.ts";

const { db, url } = withDatabase();
let port: number;
const started: ChildProcess[] = [];

beforeAll(async () => {
  port = await findFreePort();
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Settles once it listens. `caught` are the ids of the deliveries in its log. */
async function startProcess(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["server/roles/catch.ts"], {
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATABASE_URL: url,
      CATCHMENT_SECRET_KEY: "a secret key for tests, long enough",
      CATCHMENT_CATCH_PROCESSES: "2",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  started.push(child);
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "message");
  const caught = () => [...output.matchAll(/"deliveryId":"([^"]+)"/g)].map(([, id]) => id);
  return { child, caught };
}

/** Each over its own connection, so that the kernel chooses the process. */
async function deliver(path: string, from: number, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = from; number < from + count; number += 1) {
    const response = await sendJson(port, path, { id: number }, { connection: "close" });
    expect(response.status).toBe(200);
    ids.push(response.json.deliveryId ?? "");
  }
  return ids;
}

const onLinux = test.runIf(process.platform === "linux");

onLinux(
  "share the port, and the others go on when one is killed",
  {
    tags: "variant",
    timeout: 300_000,
  },
  async () => {
    const hook = await addHook(db);
    const [first, second] = [await startProcess(), await startProcess()];
    const before = await deliver(hook.path, 0, 40);
    await expect.poll(() => first.caught().length + second.caught().length).toBe(40);
    expect(Math.min(first.caught().length, second.caught().length)).toBeGreaterThan(0);

    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    const after = await deliver(hook.path, 40, 20);
    await expect.poll(() => second.caught()).toEqual(expect.arrayContaining([...after]));

    const third = await startProcess();
    const later = await deliver(hook.path, 60, 40);
    await expect.poll(() => third.caught().length).toBeGreaterThan(0);
    const stored = await db.delivery.findMany({ where: { hookId: hook.id }, select: { id: true } });
    expect(stored.map(({ id }) => id).toSorted()).toEqual(
      [...before, ...after, ...later].toSorted(),
    );
  },
);

onLinux("find a duplicate that another one stored", { timeout: 300_000 }, async () => {
  const hook = await addHook(db, { dedupe: [{ from: "body", path: "id" }] });
  await Promise.all([startProcess(), startProcess()]);
  const responses = await Promise.all(
    Array.from({ length: 40 }, () =>
      sendJson(port, hook.path, { id: "same" }, { connection: "close" }),
    ),
  );
  const originals = responses.filter(({ json }) => json.status === "accepted");
  expect(originals).toHaveLength(1);
  expect(
    responses.filter(({ json }) => json.originalDeliveryId === originals[0]?.json.deliveryId),
  ).toHaveLength(39);
});

onLinux("together allow about the rate of a hook", { timeout: 300_000 }, async () => {
  const hook = await addHook(db, { ratePerSecond: 5 });
  const all = await Promise.all([startProcess(), startProcess()]);
  const send = () => sendJson(port, hook.path, {}, { connection: "close" });
  // Each process has a burst of twice the rate.
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: 100 }, send));
  const seconds = (performance.now() - startedAt) / 1_000;
  const allowed = responses.filter(({ status }) => status === 200).length;
  expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(allowed).toBeGreaterThanOrEqual(10);
  expect(allowed).toBeLessThanOrEqual(all.length * 10 + Math.ceil(5 * seconds));
});
