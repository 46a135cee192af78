import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "#e2e/cli/target.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";

type Numbering = {
  readonly catchUrl: string;
  /** Names the hook in its bodies. */
  readonly tag: string;
  readonly from?: number;
  readonly count: number;
  readonly ratePerSecond: number;
};

const requestMs = 15_000;

/**
 * Sends numbered deliveries to a hook, each once the one before is acknowledged, so that their order is
 * known. Repeats what isn't.
 */
export async function sendNumbers(numbering: Numbering): Promise<void> {
  const { catchUrl, tag, from = 0, count, ratePerSecond } = numbering;
  const startedAt = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const dueMs = startedAt + (sent * 1_000) / ratePerSecond - performance.now();
    if (dueMs > 0) await delay(dueMs);
    const body = JSON.stringify({ id: `${tag}-${from + sent}`, tag, n: from + sent });
    while (!(await isAcknowledged(catchUrl, body))) await delay(200);
  }
}

async function isAcknowledged(catchUrl: string, body: string): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(requestMs);
  const response = await fetch(catchUrl, { method: "POST", headers, body, signal }).catch(
    () => null,
  );
  await response?.arrayBuffer().catch(() => {});
  return response?.ok === true;
}

type Handed = { readonly tag: string; readonly n: number };

/** What the program got so far, in its order. */
export function readHanded(target: Target): readonly Handed[] {
  return target.handed.map(({ bytes }) => JSON.parse(bytes.toString()) as Handed);
}

export type Wanted = Readonly<Record<string, number>>;

/** Waits until the program has so many of each hook, and returns what is missing after that time. */
export async function waitForNumbers(
  target: Target,
  wanted: Wanted,
  maxMs: number,
): Promise<readonly string[]> {
  const isThere = () => (findMissing(target, wanted).length === 0 ? true : undefined);
  await waitUntil("all deliveries", maxMs, isThere, 500).catch(() => {});
  return findMissing(target, wanted);
}

function findMissing(target: Target, wanted: Wanted): readonly string[] {
  const got = new Set(readHanded(target).map(({ tag, n }) => `${tag}-${n}`));
  return Object.entries(wanted).flatMap(([tag, count]) =>
    Array.from({ length: count }, (_, n) => `${tag}-${n}`).filter((name) => !got.has(name)),
  );
}

/** The first time of each has to be in the hook's order. What comes again may come at any time. */
export function findOutOfOrder(target: Target): readonly string[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return readHanded(target).flatMap(({ tag, n }) => {
    const name = `${tag}-${n}`;
    if (seen.has(name)) return [];
    seen.add(name);
    const before = last.get(tag) ?? -1;
    last.set(tag, Math.max(before, n));
    return n < before ? [`${name} came after ${tag}-${before}`] : [];
  });
}

/** The number of deliveries that came again. */
export function countRepeats(target: Target): number {
  const all = readHanded(target).map(({ tag, n }) => `${tag}-${n}`);
  return all.length - new Set(all).size;
}
