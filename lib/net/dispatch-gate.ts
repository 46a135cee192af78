/**
 * Lets no more than so many calls to one origin wait inside undici, where they can't be taken back: one whose deadline has ended
 * keeps its body there, and asks for a connection of its own once it is its turn. A call that waits here is forgotten when it ends.
 */
export class DispatchGate {
  readonly #maxUnstarted: number;
  readonly #origins = new Map<string, Lane>();

  constructor(maxUnstarted: number) {
    this.#maxUnstarted = maxUnstarted;
  }

  /** Calls `go` now, or later unless it has left by then. @returns whether it was now */
  enter(origin: string, go: () => void): boolean {
    const lane = this.#origins.get(origin) ?? { unstarted: 0, waiting: new Set(), isDraining: false };
    this.#origins.set(origin, lane);
    lane.waiting.add(go);
    this.#drain(origin, lane);
    return !lane.waiting.has(go);
  }

  leave(origin: string, go: () => void): void {
    this.#origins.get(origin)?.waiting.delete(go);
  }

  /** One that went has begun to be sent, or never will be. To be told once of each. */
  started(origin: string): void {
    const lane = this.#origins.get(origin);
    if (lane === undefined) return;
    lane.unstarted -= 1;
    this.#drain(origin, lane);
  }

  /** Not by recursion: on a closed client thousands start and fail within `go`. */
  #drain(origin: string, lane: Lane): void {
    if (lane.isDraining) return;
    lane.isDraining = true;
    try {
      for (const go of lane.waiting) {
        if (lane.unstarted >= this.#maxUnstarted) break;
        lane.waiting.delete(go);
        lane.unstarted += 1;
        go();
      }
    } finally {
      lane.isDraining = false;
    }
    if (lane.unstarted === 0 && lane.waiting.size === 0) this.#origins.delete(origin);
  }
}

type Lane = { unstarted: number; readonly waiting: Set<() => void>; isDraining: boolean };
