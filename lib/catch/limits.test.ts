/** Tests of the catch path's counters: rates, recorded rejections, turns, and work in flight. */
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { createRedaction } from "#lib/evaluate/redaction.ts";
import { InFlight } from "#lib/ingress/in-flight.ts";
import { RateLimits } from "#lib/ingress/rate-limits.ts";
import { RejectionBudget } from "./rejection-budget.ts";

test("a rate allows a burst, then refills, separately for each key", () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ ratePerSecond: 2, burst: 3, now: () => nowMs });
  const take = (count: number, key = "a") =>
    Array.from({ length: count }, () => limiter.take(key) === 0);
  expect(take(5)).toEqual([true, true, true, false, false]);
  expect(take(1, "b")).toEqual([true]);
  nowMs = 500;
  expect(take(2)).toEqual([true, false]);
  nowMs = 1_000_000;
  expect(take(4)).toEqual([true, true, true, false]);
  nowMs = 0;
  expect(take(1)).toEqual([false]);
});

test("a client that never stops is still allowed at its rate", () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ ratePerSecond: 10, burst: 1, now: () => nowMs });
  let through = 0;
  for (nowMs = 0; nowMs < 10_000; nowMs += 1) if (limiter.take("a") === 0) through += 1;
  expect(through).toBeGreaterThanOrEqual(99);
  expect(through).toBeLessThanOrEqual(101);
});

test("several processes together allow the rate, each with the whole burst", () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ ratePerSecond: 10, burst: 5, processes: 4, now: () => nowMs });
  const takeAll = () => {
    let through = 0;
    while (limiter.take("a") === 0) through += 1;
    return through;
  };
  expect(takeAll()).toBe(5);
  nowMs = 2_000;
  expect(takeAll()).toBe(5);
  nowMs = 2_800;
  expect(takeAll()).toBe(2);
  expect(limiter.take("a", 1)).toBe(4);
});

test("the returned wait is enough, and a rate of 0 has no limit", () => {
  let nowMs = 0;
  const limiter = new RateLimiter({ ratePerSecond: 0.2, burst: 1, now: () => nowMs });
  expect(limiter.take("a")).toBe(0);
  const seconds = limiter.take("a");
  expect(seconds).toBe(5);
  nowMs = seconds * 1_000;
  expect(limiter.take("a")).toBe(0);
  const free = new RateLimiter({ ratePerSecond: 0, burst: 0, now: () => 0 });
  expect(Array.from({ length: 1_000 }, () => free.take("a")).every((wait) => wait === 0)).toBe(
    true,
  );
});

test("clients are counted by network, hooks by their own rate, and loopback isn't limited as a client", () => {
  const limits = new RateLimits({ hookPerSecond: 2, clientPerSecond: 1, now: () => 0 });
  const send = (count: number, id: string, address: string, ratePerSecond: number | null = null) =>
    Array.from({ length: count }, () => limits.take({ id, ratePerSecond }, address) === null);
  expect(send(3, "a", "192.0.2.1")).toEqual([true, true, false]);
  expect(send(3, "b", "192.0.2.1")).toEqual([false, false, false]);
  expect([...send(1, "a", "2001:db8::1"), ...send(1, "a", "2001:db8::2")]).toEqual([true, true]);
  expect(send(1, "c", "2001:db8:0:0:ffff::3")).toEqual([false]);
  expect(send(5, "d", "127.0.0.1")).toEqual([true, true, true, true, false]);
  expect(send(7, "e", "127.0.0.1", 3)).toEqual([true, true, true, true, true, true, false]);
  const exceeded = limits.take({ id: "e", ratePerSecond: 3 }, "127.0.0.1");
  expect(exceeded).toEqual({ who: "hook", retryAfterSeconds: 1 });
});

const hook = { id: "h", accountId: "a" };

test("rejections of a hook are stored up to a number per minute, and the rest is counted", () => {
  let nowMs = 60_000;
  const limits = { perMinute: 2, maxBodyBytes: 100, bytesPerDay: 1_000_000 };
  const budget = new RejectionBudget(limits, () => nowMs);
  const take = (reason = "r") => budget.take(hook, newDelivery(hook), reason) !== null;
  expect([take(), take(), take(), take("s"), take("s")]).toEqual([true, true, false, false, false]);
  nowMs = 120_000;
  expect(take()).toBe(true);
  const counts = budget.drainCounts();
  expect(counts).toEqual([
    { hookId: "h", accountId: "a", reason: "r", minuteMs: 60_000, count: 1 },
    { hookId: "h", accountId: "a", reason: "s", minuteMs: 60_000, count: 2 },
  ]);
  expect(budget.drainCounts()).toEqual([]);
  budget.restoreCounts(counts);
  budget.restoreCounts(counts);
  expect(budget.drainCounts().map(({ count }) => count)).toEqual([2, 4]);
});

test(
  "a day's first rejections of a hook keep the start of their " +
    "bodies, the next ones none, and the rest are counted",
  () => {
    let nowMs = 0;
    const limits = { perMinute: 1_000, maxBodyBytes: 1_000, bytesPerDay: 10_000 };
    const budget = new RejectionBudget(limits, () => nowMs);
    const body = Buffer.alloc(5_000);
    const attack = (id = "h") => {
      const kept = budget.take({ ...hook, id }, { ...newDelivery(hook), body }, "r");
      return kept === null ? "counted" : `${kept.body.byteLength} of ${kept.sentBodyBytes}`;
    };
    const outcomes = Array.from({ length: 100 }, () => attack());
    const total = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    expect([total("1000 of 5000"), total("0 of 5000")]).toEqual([7, 19]);
    expect(outcomes.slice(26).every((outcome) => outcome === "counted")).toBe(true);
    expect(budget.drainCounts()).toMatchObject([{ count: 74 }]);
    expect(attack("another")).toBe("1000 of 5000");
    nowMs = 86_399_999;
    expect(attack()).toBe("counted");
    nowMs = 86_400_000;
    expect(attack()).toBe("1000 of 5000");
    const small = budget.take(hook, newDelivery(hook), "r");
    expect(small?.sentBodyBytes).toBeUndefined();
  },
);

test("decoding is limited in order, even after a failure", async () => {
  const limit = pLimit(2);
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const work = (id: number) =>
    limit(async () => {
      inside += 1;
      most = Math.max(most, inside);
      order.push(id);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      if (id === 1) throw new Error("one");
    });
  const settled = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(work));
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    ...Array(4).fill("fulfilled"),
  ]);
  expect([most, inside, order]).toEqual([2, 0, [0, 1, 2, 3, 4, 5]]);
});

test("closing waits for work in flight, even if it fails, up to a timeout", async () => {
  const inFlight = new InFlight();
  inFlight.begin();
  inFlight.begin();
  let isQuiet = false;
  const closing = inFlight.close(60_000).then(() => {
    isQuiet = true;
  });
  expect(inFlight.isClosed).toBe(true);
  inFlight.end();
  await Promise.resolve();
  expect(isQuiet).toBe(false);
  inFlight.end();
  await closing;
  await inFlight.close(60_000);
  inFlight.begin();
  await inFlight.close(1);
});

test("the header or parameter with the hook's token is redacted in any letter case or encoding", () => {
  const bySource = (source: object) =>
    createRedaction({ provider: "custom", verification: { kind: "token", source } });
  expect([...bySource({ from: "header", name: "x-token" }).headerNames]).toContain("x-token");
  expect([...createRedaction({ provider: "gitlab", verification: null }).headerNames]).toContain(
    "x-gitlab-token",
  );
  const { query } = bySource({ from: "query", name: "Token" });
  expect(query("a=1&Token=s3&b")).toBe("a=1&Token=[redacted]&b");
  expect(query("%54oken=s3&token=s4")).toBe("%54oken=[redacted]&token=[redacted]");
  expect(query("tokens=1")).toBe("tokens=1");
  const { path } = bySource({ from: "path" });
  expect([path("/s3/orders"), path("/s3"), path("")]).toEqual([
    "/[redacted]/orders",
    "/[redacted]",
    "",
  ]);
  expect(bySource({ from: "header", name: "x-token" }).path("/orders")).toBe("/orders");
  expect(createRedaction({ provider: "stripe", verification: null }).query("token=x")).toBe(
    "token=x",
  );
});
