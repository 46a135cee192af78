import { KeyCounts } from "#lib/base/key-counts.ts";

export type WebSlotLimits = {
  /** The maximum number of requests in the web process. Default: 64. */
  readonly maxInFlight?: number;
  /** The time for which another request waits for its turn. Milliseconds, default 10,000. */
  readonly maxQueueMs?: number;
};

export type SlotClient = {
  readonly address: string;
  /** True for a proxy or this machine, whose share isn't limited. */
  readonly isMany: boolean;
  readonly kind: SlotKind;
};

/** The purpose of a request: an API call, a page of a person with a session, a sign-in, or a page without. */
export type SlotKind = keyof typeof kinds;

/**
 * Requests without a session wait behind all others, and have few of 64 slots, 4 for signing in and 2
 * for pages: a page takes the web process 10 to 100 ms, and whatever else it does waits for each page
 * in progress at each of its steps.
 */
const kinds = {
  api: { turn: 0, share: 1 },
  person: { turn: 0, share: 1 },
  signIn: { turn: 1, share: 1 / 16 },
  visitor: { turn: 2, share: 1 / 32 },
} as const;

/** One client may have a quarter of the slots. */
const share = 1 / 4;
/** This part is kept for clients with few requests, so that they always get a slot. */
const reserve = 1 / 8;
const few = 4;

/** The time after which it no longer counts who was served often. */
const memoryMs = 10_000;

type Queue = { readonly client: SlotClient; readonly waiters: Set<() => void> };

/**
 * Limits the number of requests in the web process. Others wait: those without a session
 * behind everyone else, and clients that were served often behind those that ask for the first time.
 */
export class WebSlots {
  readonly #max: number;
  readonly #maxQueueMs: number;
  readonly #byClient = new KeyCounts();
  readonly #byKind = { api: 0, person: 0, signIn: 0, visitor: 0 };
  readonly #queues = new Map<string, Queue>();
  /** How often each client was served since `#countedSinceMs`. */
  readonly #served = new Map<string, number>();
  #countedSinceMs = 0;
  #taken = 0;

  constructor({ maxInFlight = 64, maxQueueMs = 10_000 }: WebSlotLimits) {
    this.#max = maxInFlight;
    this.#maxQueueMs = maxQueueMs;
  }

  /**
   * Waits for a slot.
   *
   * @param signal aborted when the client disconnects
   * @returns what frees it, or null if none was free in time
   */
  take(client: SlotClient, signal: AbortSignal): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      if (this.#enter(client)) {
        resolve(this.#createRelease(client));
        return;
      }
      const leave = (release: (() => void) | null) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        this.#removeWaiter(client, tryAgain);
        resolve(release);
      };
      const giveUp = () => leave(null);
      const tryAgain = () => {
        if (this.#enter(client)) leave(this.#createRelease(client));
      };
      const timer = setTimeout(giveUp, this.#maxQueueMs);
      signal.addEventListener("abort", giveUp);
      const queue = this.#queues.get(keyOf(client)) ?? { client, waiters: new Set() };
      queue.waiters.add(tryAgain);
      this.#queues.set(keyOf(client), queue);
    });
  }

  #enter(client: SlotClient): boolean {
    const { kind } = client;
    if (this.#taken >= this.#max) return false;
    if (this.#byKind[kind] >= Math.ceil(this.#max * kinds[kind].share)) return false;
    const isReserved = this.#taken >= this.#max * (1 - reserve);
    const ofOne = client.isMany ? this.#max : Math.ceil(this.#max * share);
    if (!this.#byClient.add(keyOf(client), isReserved ? Math.min(few, ofOne) : ofOne)) return false;
    this.#taken += 1;
    this.#byKind[kind] += 1;
    this.#countServed(keyOf(client));
    return true;
  }

  #countServed(key: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#countedSinceMs > memoryMs) {
      this.#served.clear();
      this.#countedSinceMs = nowMs;
    }
    this.#served.set(key, (this.#served.get(key) ?? 0) + 1);
  }

  #createRelease(client: SlotClient): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      this.#byKind[client.kind] -= 1;
      this.#byClient.remove(keyOf(client));
      this.#serveNext();
    };
  }

  #serveNext(): void {
    const takenBefore = this.#taken;
    for (const { waiters } of this.#inTurn()) {
      const [tryAgain] = waiters;
      tryAgain?.();
      if (this.#taken > takenBefore) return;
    }
  }

  #inTurn(): readonly Queue[] {
    const turn = ({ client }: Queue) => kinds[client.kind].turn;
    const served = ({ client }: Queue) => this.#served.get(keyOf(client)) ?? 0;
    return [...this.#queues.values()].sort((a, b) => turn(a) - turn(b) || served(a) - served(b));
  }

  #removeWaiter(client: SlotClient, waiter: () => void): void {
    const queue = this.#queues.get(keyOf(client));
    queue?.waiters.delete(waiter);
    if (queue?.waiters.size === 0) this.#queues.delete(keyOf(client));
  }
}

function keyOf({ kind, address }: SlotClient): string {
  return `${kind} ${address}`;
}
