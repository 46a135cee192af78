/**
 * Limits how many calls to one origin wait inside undici, where they can't be cancelled: a call
 * past its deadline would keep its body there and still open a connection on its turn. A call that
 * waits here is dropped when it ends.
 */
export class DispatchGate {
  readonly #maxUnstarted: number;
  readonly #origins = new Map<string, OriginQueue>();

  constructor(maxUnstarted: number) {
    this.#maxUnstarted = maxUnstarted;
  }

  /** Calls `go` now, or later unless it has left by then. @returns whether it was called now */
  enter(origin: string, go: () => void): boolean {
    const originQueue = this.#origins.get(origin) ?? {
      unstarted: 0,
      waiting: new Set(),
      isDraining: false,
    };
    this.#origins.set(origin, originQueue);
    originQueue.waiting.add(go);
    this.#drain(origin, originQueue);
    return !originQueue.waiting.has(go);
  }

  leave(origin: string, go: () => void): void {
    this.#origins.get(origin)?.waiting.delete(go);
  }

  /** A dispatched call has started to be sent, or never will be. Call this once for each. */
  started(origin: string): void {
    const originQueue = this.#origins.get(origin);
    if (originQueue === undefined) return;
    originQueue.unstarted -= 1;
    this.#drain(origin, originQueue);
  }

  /** A loop, not recursion: on a closed client thousands start and fail within `go`. */
  #drain(origin: string, originQueue: OriginQueue): void {
    if (originQueue.isDraining) return;
    originQueue.isDraining = true;
    try {
      for (const go of originQueue.waiting) {
        if (originQueue.unstarted >= this.#maxUnstarted) break;
        originQueue.waiting.delete(go);
        originQueue.unstarted += 1;
        go();
      }
    } finally {
      originQueue.isDraining = false;
    }
    if (originQueue.unstarted === 0 && originQueue.waiting.size === 0) this.#origins.delete(origin);
  }
}

type OriginQueue = { unstarted: number; readonly waiting: Set<() => void>; isDraining: boolean };
