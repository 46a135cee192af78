import { setTimeout as delay } from "node:timers/promises";

type Places = {
  /** The number of items in work at the same time. */
  readonly places: number;
  /** Takes up to so many items that are due. Each is started by a call. */
  readonly claim: (limit: number) => Promise<readonly (() => Promise<void>)[]>;
  readonly signal: AbortSignal;
};

/** The time after which a free place is offered again, while others are in work. */
const offerMs = 1_000;

/**
 * Works on what is due until there is nothing left. An item that takes long has its own place only: the
 * others are claimed and worked on meanwhile. Once stopped, it waits for those in work.
 *
 * @returns true if there was work
 */
export async function fillPlaces({ places, claim, signal }: Places): Promise<boolean> {
  const inWork = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = (work: () => Promise<void>) => {
    const working = work()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => inWork.delete(working));
    inWork.add(working);
  };
  let hasWorked = false;
  try {
    while (!signal.aborted && failures.length === 0) {
      const free = places - inWork.size;
      const claimed = free > 0 ? await claim(free) : [];
      for (const work of claimed) start(work);
      hasWorked ||= claimed.length > 0;
      if (inWork.size === 0) break;
      await oneEnds(inWork, signal);
    }
  } finally {
    await Promise.all(inWork);
  }
  if (failures.length > 0) throw failures[0];
  return hasWorked;
}

async function oneEnds(inWork: ReadonlySet<Promise<void>>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  const offer = delay(offerMs, undefined, { signal: over }).catch(() => {});
  await Promise.race([...inWork, offer]);
  ended.abort();
}
