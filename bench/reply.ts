import { once } from "node:events";
import { rmSync } from "node:fs";
import { Agent, createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { killAtOnce } from "#e2e/harness/process-tree.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { newId } from "#lib/base/ids.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createHook, updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type Posted, post } from "./load/post.ts";

/**
 * `npm run bench:reply`: measures the time that an action's reply adds to a response, beside the
 * call that the action makes; 500 responses that wait at once; and a worker that is killed while
 * they wait.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "2000" },
    waiting: { type: "string", default: "500" },
    rounds: { type: "string", default: "5" },
  },
});
const [count, waiting, rounds] = [values.count, values.waiting, values.rounds].map(Number) as [
  number,
  number,
  number,
];

const folder = makeScratchFolder("reply");
const access = makeAccess();
const server = await startServer({ folder, roles: ["catch", "worker"] }, access);
const url = server.databaseUrl();
const db = createDatabase({ url, settings: queueSettings, poolSize: 4, applicationName: "bench" });
const sealer = openSealer(access.secretKey);
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });
const held: ServerResponse[] = [];
let isHolding = false;
const receiver = createServer((request, response) => {
  request.resume().on("end", () => {
    if (isHolding) held.push(response);
    else respond(response);
  });
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
const account = await db.account.findFirstOrThrow();
const plain = await addHook(null);
const replying = await addHook({ waitSeconds: 30 });
try {
  await measureAdded(1);
  await measureAdded(16);
  await measureWaiting();
  await measureKilled();
} finally {
  agent.destroy();
  await db.$disconnect();
  await server.stop();
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Measures stored deliveries, calls of the receiver itself, and answered deliveries in turns. */
async function measureAdded(atOnce: number): Promise<void> {
  const targets = { stored: plain, "receiver alone": receiverUrl, answered: replying };
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const sent = await sendMany(target, Math.ceil(count / rounds), atOnce);
      if (sent.some(({ status }) => status !== 200)) throw new Error(`${name}: not all are 200`);
      // The first round finds cold caches.
      if (round > 0)
        times.set(name, [...(times.get(name) ?? []), ...sent.map(({ tookMs }) => tookMs)]);
      // Its leftover work must not slow the next round.
      await waitUntil("an empty queue", 60_000, async () =>
        (await db.queuedRun.count()) === 0 ? true : undefined,
      );
    }
  }
  for (const [name, took] of times) tell(`${atOnce} at once, ${name}: ${describeTimes(took)}`);
}

async function measureWaiting(): Promise<void> {
  isHolding = true;
  const sent = sendMany(replying, waiting, waiting);
  await waitUntil("calls", 30_000, () =>
    held.length >= Math.min(waiting, 100) ? true : undefined,
  );
  await delay(1_000);
  const sessions = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database()`;
  const memory = (await server.tree()).find(({ role }) => role === "catch")?.rssMb ?? 0;
  const beside = await sendMany(plain, 200, 1);
  tell(
    `${waiting} wait: ${sessions[0]?.count} connections of the database, catch ${Math.round(memory)} MB`,
  );
  tell(`beside them, stored: ${describeTimes(beside.map(({ tookMs }) => tookMs))}`);
  const releasedAt = performance.now();
  release();
  tell(`released: ${tally(await sent)} within ${Math.round(performance.now() - releasedAt)} ms`);
}

async function measureKilled(): Promise<void> {
  isHolding = true;
  const sent = sendMany(replying, waiting, waiting);
  await waitUntil("calls", 30_000, () =>
    held.length >= Math.min(waiting, 100) ? true : undefined,
  );
  killAtOnce((await server.tree()).filter(({ role }) => role === "worker"));
  const killedAt = performance.now();
  release();
  tell(`worker killed: ${tally(await sent)} within ${Math.round(performance.now() - killedAt)} ms`);
}

async function sendMany(target: string, total: number, atOnce: number): Promise<Posted[]> {
  const sent: Posted[] = [];
  let left = total;
  const sendSome = async () => {
    for (; left > 0; ) {
      left -= 1;
      sent.push(await post(target, agent, JSON.stringify({ id: newId() })));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendSome));
  return sent;
}

function release(): void {
  isHolding = false;
  for (const response of held.splice(0)) respond(response);
}

function respond(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end('{"contact":{"id":7}}');
}

/** @returns its catch URL */
async function addHook(reply: object | null): Promise<string> {
  const input = { name: newId() };
  const { hook } = await createHook(testContext(db, account.id, { sealer }), input);
  const actionId = newId();
  const request = {
    method: "POST",
    url: receiverUrl,
    headers: {},
    query: {},
    body: { id: "{{ id }}" },
  };
  const data = {
    id: actionId,
    accountId: account.id,
    hookId: hook.id,
    name: "call",
    timeoutMs: 60_000,
  };
  await db.action.create({ data: { ...data, request } });
  if (reply !== null) {
    const body = '{"contact": {{ steps.call.body.contact.id }}}';
    const parts = { headers: { "content-type": "application/json" }, body };
    const patch = { reply: { actionId, ...parts, ...reply } };
    await updateHook(testContext(db, account.id, { sealer }), { id: hook.id, ...patch });
  }
  return `${server.origin}/catch/${account.slug}/${hook.key}`;
}

function describeTimes(took: readonly number[]): string {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function tally(sent: readonly Posted[]): string {
  const groups = Map.groupBy(sent, ({ status }) => status);
  return [...groups].map(([status, { length }]) => `${length} × ${status}`).join(", ");
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
