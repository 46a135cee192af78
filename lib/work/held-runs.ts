import type { ClaimedRun } from "#lib/db/queue/claim-runs.ts";

/** To load, build and call; receivers that take longer must not make all suspects wait for one another. */
const suspectMs = 1_000;

/** What one worker has in its hands, from the claim until the result is in the database. */
export class HeldRuns {
  readonly #maxRuns: number;
  readonly #maxBytes: number;
  readonly #runs = new Map<string, ClaimedRun>();
  #bytes = 0;
  #suspect: { readonly key: string; readonly sinceMs: number } | undefined;
  #onEmpty: (() => void)[] = [];

  constructor(limits: { readonly maxRuns: number; readonly maxBytes: number }) {
    this.#maxRuns = limits.maxRuns;
    this.#maxBytes = limits.maxBytes;
  }

  get freeSlots(): number {
    return this.#maxRuns - this.#runs.size;
  }

  /** Of bodies in memory or about to be loaded; a body larger than what is free may still come, one at a time. */
  get freeBytes(): number {
    return this.#maxBytes - this.#bytes;
  }

  get size(): number {
    return this.#runs.size;
  }

  /**
   * Whether one more suspect may be begun: when the last one has come to its end, or a worker that dies of it would have done so by now.
   * `nowMs` may be any clock that doesn't step back.
   */
  takesSuspect(nowMs: number): boolean {
    return this.#suspect === undefined || nowMs - this.#suspect.sinceMs >= suspectMs;
  }

  add(run: ClaimedRun, nowMs: number): void {
    const key = run.leaseId + run.id;
    this.#runs.set(key, run);
    this.#bytes += run.bodySize;
    if (run.isSuspect) this.#suspect = { key, sinceMs: nowMs };
  }

  remove(run: { readonly id: string; readonly leaseId: string }): void {
    const key = run.leaseId + run.id;
    const held = this.#runs.get(key);
    if (held === undefined) return;
    this.#runs.delete(key);
    this.#bytes -= held.bodySize;
    if (this.#suspect?.key === key) this.#suspect = undefined;
    if (this.#runs.size === 0) for (const tell of this.#onEmpty.splice(0)) tell();
  }

  holdsRunOf(actionId: string): boolean {
    return this.#runs.values().some((run) => run.actionId === actionId);
  }

  /** Of bodies, by account; an account without any is not in it. */
  bytesByAccount(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { accountId, bodySize } of this.#runs.values()) {
      if (bodySize > 0) sums.set(accountId, (sums.get(accountId) ?? 0) + bodySize);
    }
    return sums;
  }

  list(): ClaimedRun[] {
    return [...this.#runs.values()];
  }

  /** Settles when nothing is held any more. */
  async whenEmpty(): Promise<void> {
    if (this.#runs.size === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
