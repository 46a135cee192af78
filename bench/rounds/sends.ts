import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { cpuPerRequest, sampleTree } from "../measure/sample-tree.ts";
import { figuresOfBudget, makeBudget } from "../outcome/budget.ts";
import type { Figures } from "../outcome/results.ts";
import { measuredTypes, type SendStage } from "../stage/send-stage.ts";

const clients = 64;
/** Each has so many subscriptions that a second of publishing would queue a minute of calls. */
const fannedOutPerSecond = 400;
const batchSize = 100;

/** Publishes for each of the types, and waits for the last call. Costs are those of a call. */
export async function measureSends(stage: SendStage, seconds: number): Promise<Figures> {
  const one = await untilSent(stage, () => publishFor(stage, seconds), "one.measured");
  const events = seconds * fannedOutPerSecond;
  const many = await untilSent(stage, () => publishBatches(stage, events), "many.measured");
  return { ...named("1", one), ...named("20", many) };
}

/** @param publish returns the number of events */
async function untilSent(
  { whole, sink }: SendStage,
  publish: () => Promise<number>,
  type: keyof typeof measuredTypes,
): Promise<Figures> {
  const { pid } = whole.server;
  const before = await sampleTree(pid);
  const callsBefore = (await sink.count()).calls;
  const stopWatching = await whole.database.start();
  const startedAt = performance.now();
  const expected = (await publish()) * measuredTypes[type];
  const areSent = async () =>
    (await sink.count()).calls - callsBefore >= expected ? true : undefined;
  await waitUntil("all calls", 120_000, areSent, 20);
  const seconds = (performance.now() - startedAt) / 1_000;
  const database = await stopWatching();
  const processes = cpuPerRequest(before, await sampleTree(pid), expected);
  const budget = makeBudget({ deliveries: expected, actions: 1, seconds, database, processes });
  return { "sent, per second": expected / seconds, ...figuresOfBudget(budget) };
}

/** @param count of the subscriptions */
function named(count: string, figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [`to ${count}: ${name}`, value]);
  return Object.fromEntries(entries);
}

/** One event a request, as fast as they are acknowledged. @returns the number of events */
async function publishFor({ whole }: SendStage, seconds: number): Promise<number> {
  const { port, server } = whole;
  const body = JSON.stringify({ type: "one.measured", data: { note: "x".repeat(330) } });
  const request = Buffer.from(
    `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      `Authorization: Bearer ${server.apiToken}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const endsAt = performance.now() + seconds * 1_000;
  let published = 0;
  const client = () =>
    new Promise<void>((resolve, reject) => {
      const connection = new RawConnection({
        port,
        onResponse(status, text) {
          if (status !== 202) return reject(new Error(`${status} ${text}`));
          published += 1;
          if (performance.now() < endsAt) return connection.send(request);
          connection.destroy();
          resolve();
        },
        onLost: () => reject(new Error("The connection was lost")),
      });
      connection.send(request);
    });
  await Promise.all(Array.from({ length: clients }, client));
  return published;
}

/** @returns the number of events */
async function publishBatches({ publish }: SendStage, events: number): Promise<number> {
  const data = { object: { customer_email: "ada@example.com", amount: 4_200 } };
  const batch = Array.from({ length: batchSize }, () => ({ type: "many.measured", data }));
  for (let sent = 0; sent < events; sent += batchSize) await publish(batch);
  return events;
}
