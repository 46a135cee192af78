import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { type NewEvent, storeEvents } from "#lib/db/events/store-events.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { queueSettings } from "#lib/db/queue/queue-settings.ts";
import { newId } from "#lib/ids.ts";
import { subscribeReceivers } from "#lib/services/testing/subscribe-receivers.ts";

/**
 * `npm run bench:send`: how many signed calls a second leave for 20 subscriptions, from the first
 * event that is stored to the last call that is received; and what one slow and one dead receiver
 * among 100 cost the others.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    events: { type: "string", default: "1000" },
    subscriptions: { type: "string", default: "20" },
    seconds: { type: "string", default: "10" },
  },
});
const rounds = Number(values.rounds);
const perRound = Number(values.events);
const receivers = Number(values.subscriptions);
const seconds = Number(values.seconds);

const folder = makeScratchFolder("send");
const access = makeAccess();
const server = await startServer({ folder, roles: ["catch", "worker"] }, access);
const db = createDatabase({
  url: server.databaseUrl(),
  settings: queueSettings,
  poolSize: 4,
  applicationName: "bench",
});
const { id: accountId } = await db.account.findFirstOrThrow();
try {
  await measureRate();
  await measureOthers();
} finally {
  await db.$disconnect();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureRate(): Promise<void> {
  const sink = await startSink();
  for (let n = 0; n < receivers; n += 1) await subscribe(sink.url, "rate.measured");
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = (await sink.count()).calls;
    const startedAt = performance.now();
    for (let from = 0; from < perRound; from += 100) {
      const count = Math.min(100, perRound - from);
      await publish(Array.from({ length: count }, () => makeEvent("rate.measured")));
    }
    await waitUntil("all calls", 120_000, async () =>
      (await sink.count()).calls - before >= perRound * receivers ? true : undefined,
    );
    rates.push((perRound * receivers * 1_000) / (performance.now() - startedAt));
  }
  sink.stop();
  console.log(
    `${perRound} events × ${receivers} subscriptions: ` +
      `${Math.round(median(rates))} calls/s ` +
      `(${rates.map(Math.round).join(", ")})`,
  );
}

/** Measures calls at an even pace, to 98 receivers that respond at once and two others. */
async function measureOthers(): Promise<void> {
  const waits: number[] = [];
  const quick = createServer(async (request, response) => {
    const arrivedAt = Date.now();
    const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      data: { sentAt: number };
    };
    response.end();
    waits.push(arrivedAt - data.sentAt);
  });
  const slow = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.end(), 10_000);
  });
  const dead = createServer((request) => request.resume());
  const [quickUrl, slowUrl, deadUrl] = [await open(quick), await open(slow), await open(dead)];
  for (let n = 0; n < 98; n += 1) await subscribe(quickUrl, "alone.measured", "others.measured");
  for (const url of [quickUrl, quickUrl]) await subscribe(url, "alone.measured");
  for (const url of [slowUrl, deadUrl]) await subscribe(url, "others.measured");
  const p95 = async (type: string, expected: number) => {
    waits.length = 0;
    for (let n = 0; n < seconds * 10; n += 1) {
      await publish([makeEvent(type)]);
      await delay(100);
    }
    await waitUntil("calls of the others", 60_000, () =>
      waits.length >= seconds * 10 * expected ? true : undefined,
    );
    return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? Number.NaN;
  };
  await p95("alone.measured", 100);
  const alone = await p95("alone.measured", 100);
  const beside = await p95("others.measured", 98);
  for (const each of [quick, slow, dead]) {
    each.close();
    each.closeAllConnections();
  }
  console.log(
    `p95 from publishing to the call, 1,000 calls/s to 100 receivers: ${alone} ms; with ` +
      `one slow and one dead: ${beside} ms (× ${(beside / alone).toFixed(2)})`,
  );
}

async function subscribe(receiverUrl: string, ...eventTypes: string[]): Promise<void> {
  const database = { databaseUrl: server.databaseUrl(), secretKey: access.secretKey };
  await subscribeReceivers(database, [{ receiverUrl, recipient: null, eventTypes }]);
}

async function publish(events: readonly NewEvent[]): Promise<void> {
  await storeEvents(db, events);
  notifyRunsDue(db);
}

function makeEvent(type: string): NewEvent {
  const id = newId();
  const data = { sentAt: Date.now(), object: { customer_email: "ada@example.com", amount: 4200 } };
  const timestamp = new Date().toISOString();
  return {
    id,
    accountId,
    publicId: id,
    type,
    recipient: null,
    occurredAtMs: null,
    body: JSON.stringify({ id, type, timestamp, data }),
    key: null,
    content: null,
    warning: null,
  };
}

async function open(of: Server): Promise<string> {
  of.listen(0, "127.0.0.1");
  await once(of, "listening");
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}/in`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
