import { setTimeout as delay } from "node:timers/promises";
import { stripeSecret } from "#e2e/harness/stripe-delivery.ts";
import { type Api, type Hook, makeHook, maxWaitMs, post, type Stage, say, time } from "./stage.ts";

const watchMs = 2_500;
const everyMs = 50;

type Waits = { readonly responseMs: number; readonly attemptMs: number };
type Measured = Waits & { readonly apiMs: number };
type Probe = { readonly once: () => Promise<Waits>; readonly api: () => Promise<number> };
type Attack = { readonly name: string; readonly start: () => Promise<unknown> };

let probes = 0;

/**
 * Large and deep payloads: how long another account's small delivery waits for its response, how
 * long until its call arrives, and how long the API takes.
 */
export async function measurePayloads(stage: Stage): Promise<void> {
  const { attacker, victim, receiver } = stage;
  const hook = await makeHook(victim, receiver, "{{ payload.probe }}");
  const attacks = await listAttacks(attacker, stage);
  const once = () => measureProbe(hook, stage);
  const probe = { once, api: () => time(victim(`/hooks/${hook.id}`)) };
  await watch(probe, 1_000);
  const idle = await watch(probe, watchMs);
  say(`${"".padEnd(44)}${"first attempt".padEnd(22)}${"response".padEnd(22)}API`);
  say(`${"idle (worst)".padEnd(44)}${show(idle, idle)}`);
  for (const { name, start } of attacks) {
    const attack = start().catch(() => {});
    say(`${name.padEnd(44)}${show(await watch(probe, watchMs), idle)}`);
    await Promise.race([attack, delay(maxWaitMs)]);
    await waitUntilCalm(probe);
  }
}

/** The longest attack comes last: nothing is measured after it. */
async function listAttacks(api: Api, { receiver }: Stage): Promise<readonly Attack[]> {
  const open = await makeHook(api, receiver, "x");
  const deep = Buffer.alloc(10_000_000, "[");
  const numbers = Buffer.from(`[${"1.10,".repeat(2_000_000)}1]`);
  const ones = Buffer.from(`[${"1,".repeat(5_000_000)}1]`);
  const rejected = await makeRejected(api);
  const items = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => item(index)).join(",");
  const selected = await makeHook(
    api,
    receiver,
    '{{ payload.items | where: "id", payload.selected | size }}',
  );
  const digits = Buffer.from(
    `{"selected":${"7".repeat(2_000_000)},"items":[${items(4_000, (id) => `{"id":${id}.10}`)}]}`,
  );
  const pathed = await makeHook(api, receiver, "{{ payload.items | where: payload.path | size }}");
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

async function measureProbe(hook: Hook, { receiver }: Stage): Promise<Waits> {
  probes += 1;
  const name = `probe ${probes}`;
  const arrived = receiver.waitFor(name);
  const body = JSON.stringify({ id: name, probe: name });
  const [responseMs, attemptMs] = await Promise.all([time(post(hook.url, body)), time(arrived)]);
  receiver.forget(name);
  return { responseMs, attemptMs };
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
    responseMs: Math.max(...waits.map(({ responseMs }) => responseMs)),
    attemptMs: Math.max(...waits.map(({ attemptMs }) => attemptMs)),
    apiMs: await calls,
  };
}

async function callApi({ api }: Probe, endsAt: number): Promise<number> {
  let apiMs = 0;
  for (; performance.now() < endsAt; await delay(everyMs)) apiMs = Math.max(apiMs, await api());
  return apiMs;
}

/** Waits until the attack has no effect any more. */
async function waitUntilCalm({ once: measure, api }: Probe): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const [{ responseMs, attemptMs }, apiMs] = await Promise.all([measure(), api()]);
    if (Math.max(responseMs, attemptMs, apiMs) < 200) return;
  }
}

function show(measured: Measured, idle: Measured): string {
  const pair = (ms: number, idleMs: number) => {
    const isOver = ms >= maxWaitMs;
    return `${isOver ? "over " : ""}${Math.round(ms)} ms (×${(ms / idleMs).toFixed(1)})`.padEnd(22);
  };
  const { attemptMs, responseMs, apiMs } = measured;
  return `${pair(attemptMs, idle.attemptMs)}${pair(responseMs, idle.responseMs)}${pair(apiMs, idle.apiMs)}`;
}
