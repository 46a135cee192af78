import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readBreaker } from "#lib/db/queue/control/breakers.ts";
import { openStage } from "./control/control-stage.ts";

/**
 * `npm run bench:control`: checks the promises of four workers together. Order by key with
 * failures, a rate over a minute, and a breaker that opens and lets held runs drain afterwards.
 * Ends with an error if a promise is broken.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "order,rate,breaker" },
    deliveries: { type: "string", default: "10000" },
    keys: { type: "string", default: "500" },
    seconds: { type: "string", default: "60" },
    rate: { type: "string", default: "200" },
  },
});
const deliveries = Number(values.deliveries);
const keys = Number(values.keys);
const rate = Number(values.rate);
const workers = 4;
const quick = { maxAttempts: 10, initialDelayMs: 100, maxDelayMs: 500, on: ["5xx"] };
const parts = new Set(values.only.split(","));
if (parts.has("order")) await measureOrder();
if (parts.has("rate")) await measureRate();
if (parts.has("breaker")) await measureBreaker();

async function measureOrder(): Promise<void> {
  const stage = await openStage();
  try {
    const order = { by: "{{ payload.key }}" };
    const { hookId } = await stage.addAction({ order, retry: quick });
    const latest = new Map<number, number>();
    const inFlight = new Set<number>();
    const tried = new Set<number>();
    let [outOfOrder, overlaps, failures, done] = [0, 0, 0, 0];
    stage.respond = ({ body }) => {
      const { key, number } = JSON.parse(body) as { key: number; number: number };
      if (inFlight.has(key)) overlaps += 1;
      inFlight.add(key);
      setTimeout(() => inFlight.delete(key), 4);
      const fails = number % 20 === 7 && !tried.has(number);
      tried.add(number);
      if (fails) {
        failures += 1;
        return { status: 503, afterMs: 5 };
      }
      if (number < (latest.get(key) ?? -1)) outOfOrder += 1;
      latest.set(key, number);
      done += 1;
      return { status: 200, afterMs: 5 };
    };
    await stage.startWorkers(workers);
    const startedAt = performance.now();
    const bodies = Array.from({ length: deliveries }, (_, number) => ({
      key: (number * 7919) % keys,
      number,
    }));
    await stage.store(hookId, bodies);
    await untilEmpty(stage.countOpen);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.table([
      { deliveries, keys, failures, done, overlaps, outOfOrder, seconds: seconds.toFixed(1) },
    ]);
    if (outOfOrder > 0 || overlaps > 0 || done !== deliveries) fail("order");
  } finally {
    await stage.close();
  }
}

async function measureRate(): Promise<void> {
  const seconds = Number(values.seconds);
  const stage = await openStage();
  try {
    const { hookId } = await stage.addAction({ rateLimit: { count: rate, perSeconds: 1 } });
    const times: number[] = [];
    stage.respond = ({ at }) => {
      times.push(at);
      return { status: 200, afterMs: 5 };
    };
    await stage.startWorkers(workers);
    await stage.store(
      hookId,
      Array.from({ length: rate * (seconds + 10) }, (_, number) => ({ number })),
    );
    await delay(3_000);
    const from = performance.now();
    await delay(seconds * 1_000);
    const count = times.filter((at) => at >= from && at < from + seconds * 1_000).length;
    const off = (count / (rate * seconds) - 1) * 100;
    console.table([
      { rate, seconds, count, "off %": off.toFixed(2), "most in 1 s": maxWithin(times, 1_000) },
    ]);
    if (Math.abs(off) > 5) fail("rate");
  } finally {
    await stage.close();
  }
}

async function measureBreaker(): Promise<void> {
  const stage = await openStage();
  try {
    const breaker = { failures: 5, windowSeconds: 60, openSeconds: 3 };
    const rateLimit = { count: rate, perSeconds: 1 };
    const { hookId, actionId } = await stage.addAction({ breaker, rateLimit, retry: quick });
    let isDown = true;
    const times: number[] = [];
    stage.respond = ({ at }) => {
      times.push(at);
      return { status: isDown ? 503 : 200, afterMs: 20 };
    };
    await stage.startWorkers(workers);
    await stage.store(
      hookId,
      Array.from({ length: deliveries }, (_, number) => ({ number })),
    );
    while ((await readBreaker(stage.db, actionId)).state === "closed") await delay(20);
    await delay(500);
    const failed = times.length;
    await delay(7_000);
    const probes = times.length - failed;
    isDown = false;
    const recoveredAt = performance.now();
    const from = times.length;
    await untilEmpty(stage.countOpen);
    const seconds = (performance.now() - recoveredAt) / 1_000;
    const drained = times.slice(from);
    const span = ((drained.at(-1) ?? 0) - (drained[0] ?? 0)) / 1_000;
    const perSecond = drained.length / span;
    const attempts = await stage.db.run.groupBy({ by: ["attemptCount"], _count: true });
    console.table([
      {
        "failed before it opened": failed,
        "tries while open": probes,
        held: drained.length,
        "drained in s": seconds.toFixed(1),
        rate,
        "calls a second": perSecond.toFixed(1),
        "most in 10 s": maxWithin(drained, 10_000),
        "with 1 attempt": attempts.find(({ attemptCount }) => attemptCount === 1)?._count ?? 0,
      },
    ]);
    if (failed > 20 || perSecond > rate * 1.05) fail("breaker");
  } finally {
    await stage.close();
  }
}

async function untilEmpty(count: () => Promise<number>): Promise<void> {
  while ((await count()) > 0) await delay(200);
}

function maxWithin(times: readonly number[], spanMs: number): number {
  let [most, from] = [0, 0];
  for (const [to, at] of times.entries()) {
    while (at - (times[from] ?? 0) >= spanMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

function fail(part: string): void {
  console.error(`${part}: a promise is broken`);
  process.exitCode = 1;
}
