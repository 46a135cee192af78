import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { makeAccount } from "#e2e/harness/make-account.ts";
import { killAtOnce, listTree } from "#e2e/harness/process-tree.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";
import { stripeSecret } from "#e2e/harness/stripe-delivery.ts";
import { readVersions, type Version } from "./read-versions.ts";

/**
 * `npm run bench:attacks`: what one account can do to another. For each attack it measures how long
 * another account's small delivery waits for its response, how long until its call arrives, and how
 * long the API takes; idle and during the attack, in one run on one server.
 */
const watchMs = 2_500;
const everyMs = 50;
/** Longer waits are not measured. */
const maxWaitMs = 6_000;

type Waits = { readonly answerMs: number; readonly attemptMs: number };
type Measured = Waits & { readonly apiMs: number };
type Probe = { readonly once: () => Promise<Waits>; readonly api: () => Promise<number> };
type Attack = { readonly name: string; readonly start: () => Promise<unknown> };
type Hook = { readonly id: string; readonly url: string };
type Api = (path: string, body?: unknown) => Promise<Record<string, unknown>>;

let probes = 0;
const arrivals = new Map<string, () => void>();
const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  response.end();
  arrivals.get(body)?.();
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

for (const version of readVersions()) await measureVersion(version);
receiver.close();
receiver.closeAllConnections();
process.exit(0);

async function measureVersion({ name: versionName, checkout }: Version): Promise<void> {
  const folder = makeScratchFolder("attacks");
  let server: ServerUnderTest | undefined;
  try {
    server = await startServer({ folder, checkout }, makeAccess());
    const { apiToken } = await makeAccount(server.databaseUrl(), "victim", "Victim");
    const attacker = createApi(server.origin, server.apiToken);
    const victim = createApi(server.origin, apiToken);
    const hook = await makeHook(victim, "{{ payload.probe }}");
    const attacks = await listAttacks(attacker);
    const probe = { once: () => measureProbe(hook), api: () => time(victim(`/hooks/${hook.id}`)) };
    await watch(probe, 1_000);
    const idle = await watch(probe, watchMs);
    say(`${versionName.padEnd(44)}${"first attempt".padEnd(22)}${"answer".padEnd(22)}API`);
    say(`${"idle (worst)".padEnd(44)}${show(idle, idle)}`);
    for (const { name, start } of attacks) {
      const attack = start().catch(() => {});
      say(`${name.padEnd(44)}${show(await watch(probe, watchMs), idle)}`);
      await Promise.race([attack, delay(maxWaitMs)]);
      await settle(probe);
    }
  } finally {
    if (server !== undefined) killAtOnce(await listTree(server.pid));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The longest attack comes last: nothing is measured after it. */
async function listAttacks(api: Api): Promise<readonly Attack[]> {
  const open = await makeHook(api, "x");
  const deep = Buffer.alloc(10_000_000, "[");
  const numbers = Buffer.from(`[${"1.10,".repeat(2_000_000)}1]`);
  const ones = Buffer.from(`[${"1,".repeat(5_000_000)}1]`);
  const rejected = await makeRejected(api);
  const items = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => item(index)).join(",");
  const selected = await makeHook(
    api,
    '{{ payload.items | where: "id", payload.selected | size }}',
  );
  const digits = Buffer.from(
    `{"selected":${"7".repeat(2_000_000)},"items":[${items(4_000, (id) => `{"id":${id}.10}`)}]}`,
  );
  const pathed = await makeHook(api, "{{ payload.items | where: payload.path | size }}");
  const path = Buffer.from(
    `{"path":"${"a.".repeat(50_000)}a","items":[${items(10_000, (id) => `{"a":${id}}`)}]}`,
  );
  return [
    { name: "10 MB of [[[[ to an unverified hook", start: () => post(open.url, deep) },
    { name: "10 MB of ones, mapped", start: () => post(open.url, ones) },
    { name: "10 MB of exact numbers, mapped", start: () => post(open.url, numbers) },
    { name: "a 9 MB delivery diagnosed", start: () => api(`/deliveries/${rejected}/diagnose`, {}) },
    { name: "a number of 2,000,000 digits, 4,000 items", start: () => post(selected.url, digits) },
    { name: "a path of 100 kB, 10,000 items", start: () => post(pathed.url, path) },
  ];
}

/** A delivery of 9 MB whose signature doesn't match, to be diagnosed. */
async function makeRejected(api: Api): Promise<string> {
  const { id, catchUrl } = await api("/hooks", {
    name: "refused",
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  const item = '{"name":"Zoë","url":"https://a/b"},';
  const body = Buffer.from(`{"items":[${item.repeat(9_000_000 / Buffer.byteLength(item))}{}]}`);
  const time = Math.floor(Date.now() / 1000);
  await post(String(catchUrl), body, { "stripe-signature": `t=${time},v1=${"ab".repeat(32)}` });
  const { data } = (await api(`/deliveries?hookId=${String(id)}`)) as {
    data?: readonly { id: string }[];
  };
  const [delivery] = data ?? [];
  if (delivery === undefined) throw new Error("The rejected delivery was not recorded");
  return delivery.id;
}

function createApi(origin: string, token: string): Api {
  return async (path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

async function makeHook(api: Api, body: string): Promise<Hook> {
  const hook = await api("/hooks", { name: "attacks", provider: "generic", methods: ["POST"] });
  await api(`/hooks/${String(hook.id)}/actions`, {
    name: "to the receiver",
    request: {
      method: "POST",
      url: receiverUrl,
      headers: { "content-type": "text/plain" },
      bodyText: body,
    },
  });
  return { id: String(hook.id), url: String(hook.catchUrl) };
}

async function post(
  url: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.arrayBuffer();
}

async function measureProbe(hook: Hook): Promise<Waits> {
  probes += 1;
  const name = `probe ${probes}`;
  const arrived = new Promise<void>((resolve) => arrivals.set(name, resolve));
  const body = JSON.stringify({ id: name, probe: name });
  const [answerMs, attemptMs] = await Promise.all([time(post(hook.url, body)), time(arrived)]);
  arrivals.delete(name);
  return { answerMs, attemptMs };
}

async function time(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.race([work.catch(() => delay(maxWaitMs)), delay(maxWaitMs)]);
  return performance.now() - startedAt;
}

/**
 * Sends deliveries at intervals, whatever became of the previous ones, and API calls one after
 * another. The worst of each counts.
 */
async function watch(probe: Probe, durationMs: number): Promise<Measured> {
  const endsAt = performance.now() + durationMs;
  const started: Promise<Waits>[] = [];
  const calls = callApi(probe, endsAt);
  for (; performance.now() < endsAt; await delay(everyMs)) started.push(probe.once());
  const waits = await Promise.all(started);
  return {
    answerMs: Math.max(...waits.map(({ answerMs }) => answerMs)),
    attemptMs: Math.max(...waits.map(({ attemptMs }) => attemptMs)),
    apiMs: await calls,
  };
}

async function callApi({ api }: Probe, endsAt: number): Promise<number> {
  let apiMs = 0;
  for (; performance.now() < endsAt; await delay(everyMs)) apiMs = Math.max(apiMs, await api());
  return apiMs;
}

/** Until the attack has no effect any more. */
async function settle({ once: measure, api }: Probe): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const [{ answerMs, attemptMs }, apiMs] = await Promise.all([measure(), api()]);
    if (Math.max(answerMs, attemptMs, apiMs) < 200) return;
  }
}

function show(measured: Measured, idle: Measured): string {
  const pair = (ms: number, idleMs: number) => {
    const isOver = ms >= maxWaitMs;
    return `${isOver ? "over " : ""}${Math.round(ms)} ms (×${(ms / idleMs).toFixed(1)})`.padEnd(22);
  };
  const { attemptMs, answerMs, apiMs } = measured;
  return `${pair(attemptMs, idle.attemptMs)}${pair(answerMs, idle.answerMs)}${pair(apiMs, idle.apiMs)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
