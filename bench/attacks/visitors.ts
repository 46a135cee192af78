import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { adminEmail, adminPassword } from "#e2e/harness/server-under-test.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { type Stage, say, time } from "./stage.ts";

const watchMs = 15_000;
const everyMs = 100;
const requestsEach = 16;

/**
 * Public pages that addresses without a session ask for, 16 requests each at a time: the 95th
 * percentile of another client's API call, sign-in page, and sign-in. The limit is three times idle.
 */
export async function measureVisitors({ server, victim }: Stage): Promise<void> {
  const { origin } = server;
  const probes: readonly (() => Promise<unknown>)[] = [
    () => victim("/hooks"),
    async () => (await fetch(`${origin}/sign-in`, { headers: from("203.0.113.7") })).text(),
    () => signIn(origin, adminEmail, adminPassword),
  ];
  for (const probe of probes) await probe();
  say(`${"p95 in ms".padEnd(44)}API         page        sign-in     pages/s`);
  for (const [title, addresses, listPaths] of attacks) {
    const stop = startVisitors(origin, addresses, listPaths);
    await delay(2_000);
    const endsAt = performance.now() + watchMs;
    const p95s = await Promise.all(probes.map((probe) => watch(probe, endsAt)));
    const perSecond = stop() / ((watchMs + 2_000) / 1_000);
    const cells = p95s.map((ms) => ms.toFixed(1).padEnd(12)).join("");
    say(`${title.padEnd(44)}${cells}${perSecond.toFixed(0)}`);
    await delay(3_000);
  }
}

const publicPaths = (index: number) => ["/docs", "/docs/api", "/catalog/victim", `/none-${index}`];
const signInPaths = (index: number) => [`/sign-in?next=/${index}`, "/hooks", `/portal/x${index}`];
const attacks = [
  ["nothing", 0, publicPaths],
  ["5 addresses, public pages", 5, publicPaths],
  ["50 addresses, public pages", 50, publicPaths],
  ["5 addresses, sign-in and portal", 5, signInPaths],
  ["50 addresses, sign-in and portal", 50, signInPaths],
] as const;

function from(address: string): Record<string, string> {
  return { "x-forwarded-for": address };
}

/** @returns what stops them, and tells how many responses there were */
function startVisitors(
  origin: string,
  addresses: number,
  listPaths: (index: number) => readonly string[],
): () => number {
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  let responses = 0;
  const ask = (address: string, index: number): void => {
    if (isOver) return;
    const paths = listPaths(index);
    const url = `${origin}${paths[index % paths.length]}`;
    const again = () => ask(address, index + 1);
    get(url, { agent, headers: from(address) }, (response) => {
      response.resume();
      response.once("end", () => {
        responses += 1;
        again();
      });
    }).once("error", again);
  };
  for (let address = 0; address < addresses; address += 1)
    for (let index = 0; index < requestsEach; index += 1)
      ask(`198.51.100.${address}`, index * 1_000);
  return () => {
    isOver = true;
    agent.destroy();
    return responses;
  };
}

async function watch(probe: () => Promise<unknown>, endsAt: number): Promise<number> {
  const times: number[] = [];
  for (; performance.now() < endsAt; await delay(everyMs)) times.push(await time(probe()));
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}
