import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { makeStripeBody, makeStripeRequest, stripeSecret } from "#e2e/harness/stripe-delivery.ts";
import { newId } from "#lib/base/ids.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";

/**
 * `npm run bench:publish`: the rate of published events against the rate of caught deliveries, in
 * alternating rounds, and what an event costs among 100,000 subscriptions of 10,000 recipients
 * against ten of ten: once for events of the same ten recipients, and once spread over all of them,
 * which also spreads the queue. Each event goes to one. Nothing is sent: there is no worker.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    clients: { type: "string", default: "64" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const clients = Number(values.clients);

const folder = makeScratchFolder("publish");
const access = makeAccess();
const server = await startServer({ folder, roles: ["catch"] }, access);
const port = Number(new URL(server.origin).port);
const db = createDatabase({
  url: server.databaseUrl(),
  poolSize: 2,
  applicationName: "bench",
  statementTimeoutMs: 120_000,
});
const { id: accountId, slug } = await db.account.findFirstOrThrow();
let sequence = 0;
let recipients = 10;
try {
  const input = {
    name: "bench",
    provider: "stripe",
    signingSecret: stripeSecret,
  };
  const sealer = openSealer(access.secretKey);
  const { hook } = await createHook(testContext(db, accountId, { sealer }), input);
  await db.action.create({
    data: { id: newId(), accountId, hookId: hook.id, name: "a", request: {}, timeoutMs: 1_000 },
  });
  await subscribe(0, 10, 1);
  const path = `/catch/${slug}/${hook.key}`;
  const catchOne = () => {
    sequence += 1;
    return makeStripeRequest(path, makeStripeBody(`evt_${sequence}`), Date.now());
  };
  await measure(catchOne);
  await measure(publishOne);
  const caught: number[] = [];
  const published: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    caught.push(await measure(catchOne));
    published.push(await measure(publishOne));
  }
  const ratio = median(published) / median(caught);
  say(`caught ${show(caught)}; published ${show(published)}: ${ratio.toFixed(2)} ×`);
  for (let from = 10; from < 10_000; from += 999) await subscribe(from, from + 999, 10);
  await db.$executeRaw`vacuum analyze subscriptions, subscription_patterns`;
  const before = median(published);
  for (const [spread, count] of [
    ["of the same ten recipients", 10],
    ["spread over 10,000 recipients", 9_999],
  ] as const) {
    recipients = count;
    await measure(publishOne);
    const among: number[] = [];
    for (let round = 0; round < rounds; round += 1) among.push(await measure(publishOne));
    const cost = before / median(among);
    say(`among 100,000 subscriptions, ${spread}: ${show(among)}: ${cost.toFixed(2)} × an event`);
  }
} finally {
  await db.$disconnect();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A publish request of 450 bytes, as a delivery has, for any of the recipients. */
function publishOne(): Buffer {
  sequence += 1;
  const recipient = `cust_${(sequence * 7_919) % recipients}`;
  const data = { sequence, note: "x".repeat(330) };
  const id = `evt_${sequence}`;
  const body = JSON.stringify({ type: "invoice.paid", recipient, id, data });
  return Buffer.from(
    `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      `Authorization: Bearer ${access.apiToken}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** @returns responses with 2xx per second */
async function measure(makeRequest: () => Buffer): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  let accepted = 0;
  const startedAt = performance.now();
  const client = () =>
    new Promise<void>((resolve, reject) => {
      const connection = new RawConnection({
        port,
        onResponse(status, body) {
          if (status !== 200 && status !== 202) {
            reject(new Error(`${status} ${body}`));
            return;
          }
          accepted += 1;
          if (performance.now() < endsAt) connection.send(makeRequest());
          else {
            connection.destroy();
            resolve();
          }
        },
        onLost: () => reject(new Error("The connection was lost")),
      });
      connection.send(makeRequest());
    });
  await Promise.all(Array.from({ length: clients }, client));
  return (accepted * 1_000) / (performance.now() - startedAt);
}

/** Creates recipients with so many subscriptions each, one of which gets the events. */
async function subscribe(from: number, to: number, each: number): Promise<void> {
  await db.$executeRaw`
    with made as (
      insert into subscriptions (id, account_id, recipient, receiver_url, event_types)
      select gen_random_uuid(), ${accountId}::uuid, 'cust_' || recipient, 'https://x.example',
        array[case when n = 0 then 'invoice' else 'topic_' || n end || '.*']
      from generate_series(${from}::int, ${to - 1}::int) as recipient
      cross join generate_series(0, ${each - 1}::int) as n
      returning id, recipient, event_types
    )
    insert into subscription_patterns (account_id, recipient, pattern, subscription_id)
    select ${accountId}::uuid, recipient, event_types[1], id from made`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function show(values: readonly number[]): string {
  return `${Math.round(median(values))}/s (${values.map(Math.round).join(", ")})`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
