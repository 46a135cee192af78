/** The process as it is really started: its log, its limits, its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";

const { db, url } = withDatabase();
const secretKey = "a secret key for tests, long enough";
const sealer = openSealer(secretKey);

type Process = {
  readonly child: ChildProcess;
  readonly port: number;
  output(): string;
  stop(): Promise<number | null>;
};

async function startProcess(openFiles = 1024, env = {}): Promise<Process> {
  const port = await findFreePort();
  const command = `ulimit -n ${openFiles}; exec "$0" server/roles/catch.ts`;
  const child = spawn("/bin/sh", ["-c", command, process.execPath], {
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATABASE_URL: url,
      CATCHMENT_SECRET_KEY: secretKey,
      CATCHMENT_TRUSTED_PROXIES: "127.0.0.0/8",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  }
  const exited = once(child, "exit");
  await vi.waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`The process ended:\n${output}`);
      const response = await send(port, "/api/health", { method: "GET" }).catch(() => undefined);
      return response?.status === 200;
    },
    { timeout: 120_000 },
  );
  return {
    child,
    port,
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await exited;
      return code;
    },
  };
}

test("reports its own health, and serves nothing else of the dashboard", {
  tags: "variant",
}, async () => {
  const running = await startProcess();
  const ask = (path: string, method = "GET") => send(running.port, path, { method });
  expect([(await ask("/api/health")).status, (await ask("/api/health", "HEAD")).status]).toEqual([
    200, 200,
  ]);
  expect((await ask("/api/v1/hooks")).status).toBe(404);
  await running.stop();
});

test("answers for its health itself while the web process is away", {
  tags: "variant",
}, async () => {
  const running = await startProcess(1024, { CATCHMENT_WEB_SOCKET: "/nowhere/web.sock" });
  const ask = (path: string, init = {}) => send(running.port, path, { method: "GET", ...init });
  await expect(ask("/sign-in", { signal: AbortSignal.timeout(2_000) })).rejects.toThrow();
  expect((await ask("/api/health")).text).toBe('{"status":"ok"}');
  await running.stop();
});

test("a flood of rejected requests is a line per second, reason, and hook, with their count", {
  timeout: 300_000,
}, async () => {
  const running = await startProcess();
  const hooks = [await addHook(db), await addHook(db)];
  const ids = hooks.map(({ id }) => id);
  await db.hook.updateMany({ where: { id: { in: ids } }, data: { ratePerSecond: 1 } });
  const startedAt = performance.now();
  const statuses: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const asked = hooks.flatMap(({ path }) => Array(10).fill(path));
    const responses = await Promise.all(asked.map((path) => sendJson(running.port, path, {})));
    statuses.push(...responses.map(({ status }) => status));
  }
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  expect(await running.stop()).toBe(0);
  const lines = running
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { code?: string; hookId: string; count: number });
  const limited = lines.filter(({ code }) => code === "rate_limited");
  expect(new Set(limited.map(({ hookId }) => hookId))).toEqual(new Set(ids));
  expect(limited.length).toBeLessThanOrEqual(2 * (seconds + 1));
  const counted = limited.reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(statuses.filter((status) => status === 429).length);
  expect(counted).toBeGreaterThan(400);
});

test("logs one line per delivery, and never a body, secret, token, header or hook key", {
  timeout: 300_000,
}, async () => {
  const running = await startProcess();
  const canary = "canary-0123456789";
  const dedupe = { from: "body", path: "id" } as const;
  const hook = await addHook(db, { provider: "bearer", dedupe }, sealer);
  const rotation = { secret: canary, expirePreviousAfterSeconds: 0 };
  await rotateHookSecret(testContext(db, hook.accountId, { sealer }), { id: hook.id, ...rotation });
  const deliver = (authorization: string, body: string, query = "") =>
    send(running.port, `${hook.path}${query}`, {
      body,
      headers: {
        authorization,
        "content-type": "application/json",
        "x-canary": canary,
        "x-forwarded-for": "198.51.100.9",
      },
    });
  const good = await deliver(`Bearer ${canary}`, `{"id":"${canary}"}`, `?token=${canary}`);
  expect(good.json.status).toBe("accepted");
  expect((await deliver(`Bearer ${canary}`, `{"id":"${canary}"}`)).json.status).toBe("duplicate");
  expect((await deliver("Bearer wrong-canary", "{}")).status).toBe(401);
  expect((await deliver(`Bearer ${canary}`, `{"${canary}`)).status).toBe(400);
  expect((await send(running.port, `/catch/${canary}/${canary}?${canary}`)).status).toBe(404);
  expect((await send(running.port, `${hook.path}/%zz?${canary}`)).status).toBe(401);
  const row = await db.delivery.findUniqueOrThrow({ where: { id: good.json.deliveryId ?? "" } });
  expect(row.sourceIp).toBe("198.51.100.9");
  expect(await running.stop()).toBe(0);

  // By time: the last lines of a process that ends may overtake those that are being written.
  const lines = running
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .toSorted((one, other) => one.time.localeCompare(other.time));
  const caught = lines.filter(({ event }) => event === "delivery.caught");
  expect(
    caught.map(({ outcome, status, code, reason }) => [outcome, status, code, reason]),
  ).toEqual([
    ["accepted", 200, undefined, undefined],
    ["duplicate", 200, undefined, undefined],
    ["rejected", 401, "signature_invalid", "token_mismatch"],
    ["rejected", 400, "invalid_json", undefined],
    ["rejected", 404, "hook_not_found", undefined],
    ["rejected", 401, "signature_invalid", "token_missing"],
  ]);
  expect(caught[0]).toMatchObject({
    hookId: hook.id,
    deliveryId: good.json.deliveryId,
    durationMs: expect.any(Number),
  });
  expect(running.output()).not.toContain("canary");
  expect(running.output()).not.toContain(hook.key);
});

test("continues without free descriptors, and recovers once there are some", {
  timeout: 300_000,
}, async () => {
  const running = await startProcess(96);
  const hook = await addHook(db);
  expect((await sendJson(running.port, hook.path, {})).status).toBe(200);
  const idle: Socket[] = Array.from({ length: 200 }, () =>
    connect(running.port, "127.0.0.1").on("error", () => {}),
  );
  await expect
    .poll(() => idle.filter(({ closed, connecting }) => closed || !connecting).length)
    .toBe(200);
  expect(running.child.exitCode).toBeNull();
  for (const socket of idle) socket.destroy();
  const status = () =>
    sendJson(running.port, hook.path, {}).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);
  expect(await running.stop()).toBe(0);
  expect(running.output()).not.toContain("process.crashed");
});
