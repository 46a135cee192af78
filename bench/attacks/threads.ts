import { setTimeout as delay } from "node:timers/promises";
import { type Api, type Hook, post, type Receiver, type Stage, say } from "./stage.ts";

const watchMs = 6_000;
const everyMs = 150;
/** Longer waits are not measured. */
const maxWaitMs = 60_000;
const attackSize = 60;

/** Ways to spend time in built-in functions, which QuickJS can't interrupt. */
const slowTransform = `export default ({ payload: { id } }) => {
  const way = Number(id.slice(4)) % 3;
  if (way === 0) return new Array(1e8).join("").length;
  if (way === 1) return "ab".repeat(1e6).replaceAll("a", "bb").replaceAll("b", "aa").length;
  return String(10n ** 300_000n).length;
}`;

const quickTransform = "export default ({ payload }) => payload.id + '!'";

type Probe = { readonly name: string; readonly hook: Hook; readonly suffix: string };
type Attack = { readonly name: string; readonly hook: Hook; readonly extra: string };

let probes = 0;

/**
 * The cost of work that one action gives to threads: how long the transforms of another action of
 * the same account take meanwhile, those of another account, and runs that need no thread.
 */
export async function measureThreads({ attacker, victim, receiver }: Stage): Promise<void> {
  const probed: readonly Probe[] = [
    {
      name: "other account",
      hook: await addTransform(victim, receiver, quickTransform),
      suffix: "!",
    },
    {
      name: "other action",
      hook: await addTransform(attacker, receiver, quickTransform),
      suffix: "!",
    },
    { name: "plain run", hook: await addPlain(victim, receiver, "{{ payload.id }}"), suffix: "" },
  ];
  const items = Array.from({ length: 150_000 }, (_, index) => (index * 16_807) % 2_147_483_647);
  const attacks: readonly Attack[] = [
    {
      name: `${attackSize} transforms in built-in loops`,
      hook: await addTransform(attacker, receiver, slowTransform),
      extra: "",
    },
    // The cost of deliveries of this size without the templates.
    {
      name: `${attackSize} templates that read one of 150,000 items`,
      hook: await addPlain(attacker, receiver, "{{ payload.items[1] }}"),
      extra: `,"items":[${items}]`,
    },
    {
      name: `${attackSize} templates that sort 150,000 items`,
      hook: await addPlain(attacker, receiver, "{{ payload.items | sort | uniq | sort | size }}"),
      extra: `,"items":[${items}]`,
    },
  ];
  for (const probe of probed) await measure(probe, receiver);
  say(`${"p95".padEnd(48)}${probed.map(({ name }) => name.padEnd(18)).join("")}`);
  say(`${"idle".padEnd(48)}${await watch(probed, receiver)}`);
  for (const { name, hook, extra } of attacks) {
    const sent = Array.from({ length: attackSize }, (_, index) =>
      post(hook.url, `{"id":"bad ${index}"${extra}}`).catch(() => {}),
    );
    say(`${name.padEnd(48)}${await watch(probed, receiver)}`);
    await Promise.all(sent);
  }
}

async function addTransform(api: Api, receiver: Receiver, code: string): Promise<Hook> {
  const hook = await api("/hooks", { name: "threads", provider: "generic", methods: ["POST"] });
  const headers = { "content-type": "text/plain" };
  const bodyText = "{{ steps.change.value }}";
  const request = { method: "POST", url: receiver.url, headers, bodyText };
  await api(`/hooks/${String(hook.id)}/actions`, {
    name: "transforms",
    steps: [
      { key: "change", kind: "transform", code },
      { key: "send", kind: "call", request },
    ],
  });
  return { id: String(hook.id), url: String(hook.catchUrl) };
}

async function addPlain(api: Api, receiver: Receiver, bodyText: string): Promise<Hook> {
  const hook = await api("/hooks", { name: "plain", provider: "generic", methods: ["POST"] });
  const headers = { "content-type": "text/plain" };
  const request = { method: "POST", url: receiver.url, headers, bodyText };
  await api(`/hooks/${String(hook.id)}/actions`, { name: "plain", request });
  return { id: String(hook.id), url: String(hook.catchUrl) };
}

/** Sends probes at intervals, whatever became of the previous ones. */
async function watch(probed: readonly Probe[], receiver: Receiver): Promise<string> {
  const endsAt = performance.now() + watchMs;
  const waits = probed.map((): Promise<number>[] => []);
  for (; performance.now() < endsAt; await delay(everyMs))
    for (const [at, probe] of probed.entries()) waits[at]?.push(measure(probe, receiver));
  const shown = waits.map(async (ofProbe) => `${p95(await Promise.all(ofProbe))}`.padEnd(18));
  return (await Promise.all(shown)).join("");
}

/** Measures the time from the delivery to its call. */
async function measure({ hook, suffix }: Probe, receiver: Receiver): Promise<number> {
  probes += 1;
  const id = `probe ${probes}`;
  const arrived = receiver.waitFor(`${id}${suffix}`);
  const startedAt = performance.now();
  await post(hook.url, JSON.stringify({ id }));
  await Promise.race([arrived, delay(maxWaitMs)]);
  receiver.forget(`${id}${suffix}`);
  return performance.now() - startedAt;
}

function p95(waits: readonly number[]): string {
  const sorted = waits.toSorted((a, b) => a - b);
  const ms = sorted[Math.floor(sorted.length * 0.95)] ?? maxWaitMs;
  return `${ms >= maxWaitMs ? "over " : ""}${Math.round(ms)} ms`;
}
