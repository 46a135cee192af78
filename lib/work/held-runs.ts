import type { ClaimedRun } from "#lib/db/queue/claim-runs.ts";

/** What one worker has in its hands, from the claim until the result is in the database. */
export class HeldRuns {
  readonly #maxRuns: number;
  readonly #maxBytes: number;
  readonly #runs = new Map<string, ClaimedRun>();
  #bytes = 0;
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

  add(run: ClaimedRun): void {
    this.#runs.set(run.leaseId + run.id, run);
    this.#bytes += run.bodySize;
  }

  remove(run: { readonly id: string; readonly leaseId: string }): void {
    const key = run.leaseId + run.id;
    this.#bytes -= this.#runs.get(key)?.bodySize ?? 0;
    this.#runs.delete(key);
    if (this.#runs.size === 0) for (const tell of this.#onEmpty.splice(0)) tell();
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
