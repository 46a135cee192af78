/** Metrics and health of processes as they are really started, read over HTTP. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { type Receiver, startReceiver } from "#lib/worker/testing/receiver.ts";
import { childSpec } from "#server/supervise/child-spec.ts";
import { createSupervisor, type Supervisor } from "#server/supervise/supervisor.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";
import { type Monitoring, startMonitoring } from "./monitoring-server.ts";

const token = "a-token-for-metrics-in-tests";
const { db, url } = withDatabase();
let receiver: Receiver;
let supervisor: Supervisor;
let monitoring: Monitoring | undefined;
let port: number;
let metricsPort: number;

beforeAll(async () => {
  receiver = await startReceiver((response) => response.end("ok"));
  [port, metricsPort] = [await findFreePort(), await findFreePort()];
  supervisor = createSupervisor({
    readMetrics: async (format) => (await monitoring?.write(format)) ?? null,
  });
  monitoring = await startMonitoring({
    supervisor,
    folder: undefined,
    minFreeDiskBytes: 0,
    host: "127.0.0.1",
    port: metricsPort,
  });
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    DATABASE_URL: url,
    CATCHMENT_SECRET_KEY: "a secret key for tests, long enough",
    CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    CATCHMENT_METRICS_PORT: String(metricsPort),
    CATCHMENT_METRICS_TOKEN: token,
    CATCHMENT_CATCH_PROCESSES: "1",
  };
  await Promise.all(
    ["worker", "catch"].map((role) => supervisor.start(childSpec(role as "catch", env))),
  );
});
afterAll(async () => {
  await supervisor.stop(["catch", "worker"]);
  monitoring?.close();
  await receiver[Symbol.asyncDispose]();
});

async function addCallingHook(): Promise<TestHook> {
  const hook = await addHook(db);
  const { accountId, id: hookId } = hook;
  const request = { method: "POST", url: receiver.url, headers: {}, query: {}, body: {} };
  const action = { id: newId(), accountId, hookId, name: "call", request, timeoutMs: 5_000 };
  await db.action.create({ data: action });
  return hook;
}

/** The sum of the samples that begin with `name{` and have all of these labels. */
function sumOf(text: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.split("} ")[1]), 0);
}

async function scrape(): Promise<string> {
  return (await send(metricsPort, "/metrics", { method: "GET" })).text;
}

test("a delivery is counted by the processes that caught it, called, and recorded it", {
  tags: "variant",
}, async () => {
  const hook = await addCallingHook();
  for (const id of ["evt_1", "evt_2", "evt_2"])
    expect((await sendJson(port, hook.path, { id })).status).toBe(200);
  expect((await sendJson(port, "/catch/nobody/nothing", {})).status).toBe(404);
  await expect.poll(async () => sumOf(await scrape(), "catchment_run_seconds_count")).toBe(2);
  const text = await scrape();
  const caught = (labels: Record<string, string>) =>
    sumOf(text, "catchment_catch_requests_total", { process: "catch", ...labels });
  expect(caught({ outcome: "accepted" })).toBe(2);
  expect(caught({ outcome: "duplicate" })).toBe(1);
  expect(caught({ outcome: "rejected", code: "hook_not_found" })).toBe(1);
  expect(sumOf(text, "catchment_store_seconds_count")).toBe(3);
  const worker = { process: "worker", kind: "action" };
  expect(sumOf(text, "catchment_calls_total", { ...worker, outcome: "2xx" })).toBe(2);
  expect(sumOf(text, "catchment_attempts_total", { ...worker, outcome: "succeeded" })).toBe(2);
  expect(sumOf(text, "catchment_first_call_seconds_count", worker)).toBe(2);
  expect(sumOf(text, "catchment_database_up")).toBe(1);
  expect(sumOf(text, "catchment_database_bytes")).toBeGreaterThan(1_000_000);
  expect(sumOf(text, "catchment_process_up")).toBe(2);
  for (const process of ["catch", "worker", "supervisor"])
    expect(sumOf(text, "catchment_process_resident_memory_bytes", { process })).toBeGreaterThan(
      1e6,
    );
  expect(sumOf(text, "catchment_pool_connections", { process: "catch" })).toBeGreaterThan(0);
  expect(text).not.toContain(hook.id);
  // The queue is read at most every 5 s: an earlier scrape may have seen the runs in it.
  await expect.poll(scrape).toMatch(/^catchment_queue_runs\{.*state="due".*\} 0$/m);
});

test("the server's own port shows the same metrics, only with the token", async () => {
  const ask = (authorization?: string) =>
    send(port, "/metrics", { method: "GET", headers: authorization ? { authorization } : {} });
  expect((await ask()).status).toBe(401);
  expect((await ask(`Bearer ${token}x`)).status).toBe(401);
  const response = await ask(`Bearer ${token}`);
  expect(response.status).toBe(200);
  expect(sumOf(response.text, "catchment_process_up", { process: "worker" })).toBe(1);
});

test("Prometheus gets OpenMetrics", async () => {
  const headers = { accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5" };
  const response = await send(metricsPort, "/metrics", { method: "GET", headers });
  expect(response.headers.get("content-type")).toMatch(/^application\/openmetrics-text; version=1/);
  expect(response.text.endsWith("# EOF\n")).toBe(true);
});

test("the port for metrics is ready while all processes are, and alive also without them", async () => {
  const ask = async (path: string) => (await send(metricsPort, path, { method: "GET" })).status;
  expect(await ask("/api/health/ready")).toBe(200);
  expect(await ask("/api/health/live")).toBe(200);
  expect(await ask("/")).toBe(404);
  await supervisor.stop([["worker"]]);
  const response = await send(metricsPort, "/api/health/ready", { method: "GET" });
  expect([response.status, response.json.detail]).toEqual([
    503,
    expect.stringContaining("not running"),
  ]);
  expect(await ask("/api/health/live")).toBe(200);
  expect(sumOf(await scrape(), "catchment_process_up")).toBe(0);
});
