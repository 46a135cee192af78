import { expect, onTestFinished, test, vi } from "vitest";
import type { CatchHook } from "#lib/evaluate/catch-hook.ts";
import { BatchLoader } from "#lib/ingress/batch-loader.ts";
import { HookCache } from "./hook-cache.ts";

function hook(id: string, validUntilMs = Number.POSITIVE_INFINITY): CatchHook {
  return { id, validUntilMs } as CatchHook;
}

function createCache(found: () => Promise<CatchHook | null>, maxEntries = 100) {
  let nowMs = 0;
  const cache = new HookCache({ load: found, now: () => nowMs, maxEntries });
  cache.setListening(true);
  return { cache, setNow: (ms: number) => (nowMs = ms) };
}

test("a hook is cached for half a minute with notifications, and for a second without", async () => {
  const { cache, setNow } = createCache(async () => hook("h"));
  expect(cache.peek("a", "k")).toBeUndefined();
  await cache.load("a", "k");
  setNow(29_999);
  expect(cache.peek("a", "k")?.id).toBe("h");
  setNow(30_000);
  expect(cache.peek("a", "k")).toBeUndefined();
  cache.setListening(false);
  await cache.load("a", "k");
  setNow(30_999);
  expect(cache.peek("a", "k")?.id).toBe("h");
  setNow(31_000);
  expect(cache.peek("a", "k")).toBeUndefined();
});

test("a hook is dropped when it changes, when notifications stop or resume, and when a secret expires", async () => {
  const { cache, setNow } = createCache(async () => hook("h", 500));
  for (const lose of [
    () => cache.forget("h"),
    () => cache.setListening(false),
    () => cache.setListening(true),
    () => setNow(500),
  ]) {
    await cache.load("a", "k");
    expect(cache.peek("a", "k")?.id).toBe("h");
    lose();
    expect(cache.peek("a", "k")).toBeUndefined();
  }
  setNow(0);
  await cache.load("a", "k");
  cache.forget("another");
  expect(cache.peek("a", "k")?.id).toBe("h");
});

test("a hook that changes while loading is returned but not cached", async () => {
  const read = Promise.withResolvers<CatchHook | null>();
  const { cache } = createCache(() => read.promise);
  const loading = cache.load("a", "k");
  cache.forget("h");
  read.resolve(hook("h"));
  expect((await loading)?.id).toBe("h");
  expect(cache.peek("a", "k")).toBeUndefined();
});

test("misses and failures are not cached, and the cache is bounded", async () => {
  let next: CatchHook | null = null;
  const { cache } = createCache(async () => next, 2);
  expect(await cache.load("a", "k")).toBeNull();
  next = hook("h");
  expect((await cache.load("a", "k"))?.id).toBe("h");
  for (const key of ["x", "y", "z"]) await cache.load("a", key);
  expect(
    ["k", "x", "y", "z"].filter((key) => cache.peek("a", key) !== undefined).length,
  ).toBeLessThanOrEqual(2);
  const { cache: failing } = createCache(() => Promise.reject(new Error("away")));
  await expect(failing.load("a", "k")).rejects.toThrow("away");
});

function createLoader(options: { maxBatch?: number; maxWaiting?: number } = {}) {
  const statements: { urls: readonly { hookKey: string }[]; finish: (error?: Error) => void }[] =
    [];
  const loader = new BatchLoader<Url, string, CatchHook>({
    keyOf: ({ accountSlug, hookKey }) => `${accountSlug}/${hookKey}`,
    find: (urls) =>
      new Promise((resolve, reject) => {
        const rows = urls.map(({ hookKey }) => (hookKey.startsWith("none") ? null : hookKey));
        statements.push({
          urls,
          finish: (error) => (error === undefined ? resolve(rows) : reject(error)),
        });
      }),
    prepare: (row) => {
      if (row === "broken") throw new Error("can't be read");
      return hook(row);
    },
    timeoutMs: 60_000,
    spacingMs: 0,
    maxBatch: 100,
    maxWaiting: 1_000,
    ...options,
  });
  const load = (accountSlug: string, hookKey: string) => loader.load({ accountSlug, hookKey });
  return { loader: { load }, statements };
}

type Url = { readonly accountSlug: string; readonly hookKey: string };

test("a load never joins a running statement, and loads that arrive meanwhile share the next one", async () => {
  const { loader, statements } = createLoader();
  const first = loader.load("a", "k");
  const later = [
    loader.load("a", "k"),
    loader.load("a", "k"),
    loader.load("a", "none"),
    loader.load("b", "k2"),
  ];
  expect(later[0]).toBe(later[1]);
  expect(later[0]).not.toBe(first);
  expect(statements.length).toBe(1);
  statements[0]?.finish();
  expect((await first)?.id).toBe("k");
  await expect.poll(() => statements.length).toBe(2);
  expect(statements[1]?.urls.map(({ hookKey }) => hookKey)).toEqual(["k", "none", "k2"]);
  statements[1]?.finish();
  expect((await Promise.all(later)).map((found) => found?.id)).toEqual(["k", "k", undefined, "k2"]);
});

test("a failed statement fails only its own loads, and an invalid hook fails alone", async () => {
  const { loader, statements } = createLoader();
  const lost = loader.load("a", "k");
  statements[0]?.finish(new Error("away"));
  await expect(lost).rejects.toThrow("away");
  await expect
    .poll(() => loader.load("a", "probe") !== undefined && statements.length)
    .toBeGreaterThan(1);
  for (const { finish } of statements) finish();
  const mixed = [loader.load("a", "broken"), loader.load("a", "good")];
  const outcomes = Promise.allSettled(mixed);
  await expect
    .poll(() => statements.at(-1)?.urls.some(({ hookKey }) => hookKey === "good"))
    .toBe(true);
  for (const { finish } of statements) finish();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("a hanging statement times out, the next one starts, and the number of waiting loads is bounded", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { loader, statements } = createLoader({ maxBatch: 1, maxWaiting: 2 });
  const hung = loader.load("a", "k1");
  const waiting = loader.load("a", "k2");
  const third = loader.load("a", "k3");
  await expect(loader.load("a", "k4")).rejects.toThrow("Too many");
  await Promise.all([expect(hung).rejects.toThrow("in time"), vi.advanceTimersByTimeAsync(60_000)]);
  expect(statements.length).toBe(2);
  statements[1]?.finish();
  expect((await waiting)?.id).toBe("k2");
  await vi.advanceTimersByTimeAsync(1);
  expect(statements.length).toBe(3);
  statements[2]?.finish();
  expect((await third)?.id).toBe("k3");
});
