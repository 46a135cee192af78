import { setTimeout as delay } from "node:timers/promises";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { type Receiver, startReceiver } from "#lib/worker/testing/receiver.ts";
import { startClosingReceiver } from "./closing-receiver.ts";
import type { FaultStage } from "./fault-stage.ts";

type Figure = readonly [what: string, figure: string];

/** The database turns read-only during calls, which get their responses meanwhile. */
export async function measureReadOnly(stage: FaultStage): Promise<Figure[]> {
  await using receiver = await startReceiver((response) => setTimeout(() => response.end(), 500));
  const catchUrl = await stage.addHook("read-only", [{ url: receiver.url, timeoutMs: 20_000 }]);
  await stage.deliver(catchUrl, 21);
  await untilCalled(receiver, 21);
  await setReadOnly(stage, true);
  await delay(6_000);
  await setReadOnly(stage, false);
  const backAt = performance.now();
  await stage.untilDone(60_000);
  return [
    ["database read-only for 6 s, 21 calls in flight: calls repeated", countRepeated(receiver)],
    ["  from recovery to the last stored result", seconds(performance.now() - backAt)],
  ];
}

/** The database goes and comes back during calls. The worker's own session comes back last. */
export async function measureOutage(stage: FaultStage): Promise<Figure[]> {
  await using receiver = await startReceiver((response) => setTimeout(() => response.end(), 9_000));
  const catchUrl = await stage.addHook("outage", [{ url: receiver.url, timeoutMs: 20_000 }]);
  await stage.deliver(catchUrl, 23);
  await untilCalled(receiver, 23);
  stage.network.setMode("refuse");
  await delay(4_000);
  stage.network.setMode("pass");
  await stage.untilDone(60_000);
  const { rows } = await stage.database.query(
    "select count(*)::int as late from attempts where late",
  );
  return [
    ["no database for 4 s, 23 calls in flight: calls repeated", countRepeated(receiver)],
    ["  results that came too late", String(rows[0]?.late)],
  ];
}

/**
 * Two actions with hundreds of runs each never get a response. Another hook of the same account
 * continues.
 */
export async function measureHanging(stage: FaultStage): Promise<Figure[]> {
  await using hanging = await startReceiver(() => {});
  await using healthy = await startReceiver();
  const dead = { url: hanging.url, timeoutMs: 15_000 };
  const deadHook = await stage.addHook("hanging", [dead, dead]);
  const healthyHook = await stage.addHook("healthy", [{ url: healthy.url, timeoutMs: 5_000 }]);
  await stage.deliver(deadHook, 300);
  // The first ones have been called, and as many more as allowed.
  await delay(1_000);
  const deliveredAt = await stage.deliver(healthyHook, 60);
  await untilCalled(healthy, 60);
  const waits = healthy.calls.map(({ body, at }) => at - (deliveredAt[numberIn(body)] ?? 0));
  const [median = 0, longest = 0] = [0.5, 1].map((share) => quantile(waits, share));
  const figures: Figure[] = [
    ["two hanging actions, 60 healthy calls of the same account: median wait", seconds(median)],
    ["  longest wait", seconds(longest)],
    ["  hanging calls meanwhile", String(hanging.calls.length)],
  ];
  await stage.database.query("delete from queue");
  return figures;
}

/**
 * A receiver that closes each connection shortly after its response, whether or not the next call
 * is on its way.
 */
export async function measureClosing(stage: FaultStage): Promise<Figure[]> {
  await using receiver = await startClosingReceiver((count) => count % 7);
  const catchUrl = await stage.addHook("closing", [{ url: receiver.url, timeoutMs: 5_000 }]);
  await stage.deliver(catchUrl, 600, { perSecond: 200 });
  await stage.untilDone(30_000);
  const { rows } = await stage.database.query(
    `select count(*) filter (where state = 'failed')::int as failed from runs r join hooks h on h.id = r.hook_id
     where h.name = 'closing'`,
  );
  const { seen } = receiver;
  return [
    [
      "a receiver that closes 0 to 6 ms after its response, 600 runs of one attempt: failed",
      String(rows[0]?.failed),
    ],
    ["  runs it never received", String(600 - new Set(seen).size)],
    ["  calls it received twice", String(seen.length - new Set(seen).size)],
  ];
}

async function setReadOnly({ database }: FaultStage, isReadOnly: boolean): Promise<void> {
  await database.query(
    `alter system set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`,
  );
  await database.query("select pg_reload_conf()");
}

async function untilCalled({ calls }: Receiver, count: number): Promise<void> {
  await waitUntil("the calls", 90_000, () => (calls.length >= count ? true : undefined), 10);
}

function countRepeated({ calls }: Receiver): string {
  const keys = new Set(calls.map(({ headers }) => headers["idempotency-key"]));
  return String(calls.length - keys.size);
}

function numberIn(body: string): number {
  return (JSON.parse(body) as { number: number }).number;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
