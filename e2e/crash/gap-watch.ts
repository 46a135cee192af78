import { setTimeout as delay } from "node:timers/promises";
import { waitUntil } from "#e2e/harness/wait-until.ts";

export type Gaps<Name extends string> = Readonly<Record<Name, number>>;

export type GapWatch<Name extends string> = {
  /** Begins a new window. */
  begin(): void;
  /** Resolves once each counter has grown from now on. */
  waitForGrowth(): Promise<void>;
  /** The longest time in this window in which a counter didn't grow, in milliseconds. */
  read(): Gaps<Name>;
  stop(): Promise<void>;
};

const everyMs = 25;

/** Looks at counters of acknowledgements, and finds the times in which nothing was acknowledged. */
export function watchGaps<Name extends string>(
  count: () => Promise<Readonly<Record<Name, number>>>,
): GapWatch<Name> {
  type Counter = { value: number; grownAtMs: number; maxMs: number; hasGrown: boolean };
  const counters = new Map<Name, Counter>();
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const atMs = performance.now();
      const counts = Object.entries(await count()) as [Name, number][];
      for (const [name, value] of counts) {
        const known = counters.get(name) ?? {
          value,
          grownAtMs: atMs,
          maxMs: 0,
          hasGrown: false,
        };
        counters.set(name, known);
        known.maxMs = Math.max(known.maxMs, atMs - known.grownAtMs);
        if (value === known.value) continue;
        Object.assign(known, { value, grownAtMs: atMs, hasGrown: true });
      }
      await delay(everyMs);
    }
  })();
  watching.catch(() => {});
  return {
    begin() {
      for (const counter of counters.values()) counter.maxMs = 0;
    },
    async waitForGrowth() {
      for (const counter of counters.values()) counter.hasGrown = false;
      await waitUntil("everything to be acknowledged", 120_000, () =>
        [...counters.values()].every(({ hasGrown }) => hasGrown) ? true : undefined,
      );
    },
    read: () =>
      Object.fromEntries(
        [...counters].map(([name, { maxMs }]) => [name, Math.round(maxMs)]),
      ) as Gaps<Name>,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
