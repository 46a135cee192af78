import { KeyCounts } from "#lib/core/key-counts.ts";

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
};

type Waiter = () => void;

/** One client may have a quarter of the slots. */
const share = 1 / 4;
/** This part is kept for clients with few requests, so that they always get a slot. */
const reserve = 1 / 8;
const few = 4;

/**
 * Limits the number of requests in the web process. Others wait: clients take turns, however many
 * requests each has.
 */
export class WebSlots {
  readonly #max: number;
  readonly #maxQueueMs: number;
  readonly #byClient = new KeyCounts();
  /** The clients in the order of their turns. */
  readonly #queues = new Map<string, Set<Waiter>>();
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
      const queue = this.#queues.get(client.address) ?? new Set();
      this.#queues.set(client.address, queue.add(tryAgain));
    });
  }

  #enter({ address, isMany }: SlotClient): boolean {
    if (this.#taken >= this.#max) return false;
    const isReserved = this.#taken >= this.#max * (1 - reserve);
    const ofOne = isMany ? this.#max : Math.ceil(this.#max * share);
    const most = isReserved ? Math.min(few, ofOne) : ofOne;
    if (!this.#byClient.add(address, most)) return false;
    this.#taken += 1;
    return true;
  }

  #createRelease({ address }: SlotClient): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      this.#byClient.remove(address);
      this.#serveNext();
    };
  }

  #serveNext(): void {
    for (const [address, queue] of [...this.#queues]) {
      const takenBefore = this.#taken;
      for (const tryAgain of queue) {
        tryAgain();
        break;
      }
      if (this.#taken === takenBefore) continue;
      // The client's turn is over.
      if (this.#queues.delete(address) && queue.size > 0) this.#queues.set(address, queue);
      return;
    }
  }

  #removeWaiter({ address }: SlotClient, waiter: Waiter): void {
    const queue = this.#queues.get(address);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#queues.delete(address);
  }
}
