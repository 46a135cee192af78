import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";

/**
 * Enough time to load, build, and call a run. Slower receivers must not make all crash candidates
 * wait for each other.
 */
const crashCandidateMs = 1_000;

/** The runs of one worker, from the claim until the result is in the database. */
export class InFlightRuns {
  readonly #maxRuns: number;
  readonly #maxBytes: number;
  readonly #runs = new Map<
    string,
    ClaimedRun & { readonly sinceMs: number; readonly pointless: AbortController; bytes: number }
  >();
  #bytes = 0;
  #crashCandidate: { readonly key: string; readonly sinceMs: number } | undefined;
  #onEmpty: (() => void)[] = [];

  constructor(limits: { readonly maxRuns: number; readonly maxBytes: number }) {
    this.#maxRuns = limits.maxRuns;
    this.#maxBytes = limits.maxBytes;
  }

  get freeSlots(): number {
    return this.#maxRuns - this.#runs.size;
  }

  /**
   * The room for bodies in memory or about to be loaded, and for results of steps. A larger body may
   * still be loaded, one at a time.
   */
  get freeBytes(): number {
    return this.#maxBytes - this.#bytes;
  }

  get size(): number {
    return this.#runs.size;
  }

  /**
   * True if another crash candidate may start: the last one has ended, or would have crashed the
   * worker by now. `nowMs` may be any monotonic clock.
   */
  allowCrashCandidate(nowMs: number): boolean {
    return (
      this.#crashCandidate === undefined || nowMs - this.#crashCandidate.sinceMs >= crashCandidateMs
    );
  }

  add(run: ClaimedRun, nowMs: number): void {
    const key = run.leaseId + run.id;
    const pointless = new AbortController();
    this.#runs.set(key, { ...run, sinceMs: nowMs, pointless, bytes: run.bodySize });
    this.#bytes += run.bodySize;
    if (run.isCrashCandidate) this.#crashCandidate = { key, sinceMs: nowMs };
  }

  /** The results of a run's steps, in bytes, stay in memory for the later steps. */
  keepResults(run: { readonly id: string; readonly leaseId: string }, bytes: number): void {
    const found = this.#runs.get(run.leaseId + run.id);
    if (found === undefined) return;
    this.#bytes += found.bodySize + bytes - found.bytes;
    found.bytes = found.bodySize + bytes;
  }

  remove(run: { readonly id: string; readonly leaseId: string }): void {
    const key = run.leaseId + run.id;
    const found = this.#runs.get(key);
    if (found === undefined) return;
    this.#runs.delete(key);
    this.#bytes -= found.bytes;
    if (this.#crashCandidate?.key === key) this.#crashCandidate = undefined;
    if (this.#runs.size === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /** Aborted once work on the run is pointless. It may still be in flight. */
  pointlessSignal(run: { readonly id: string; readonly leaseId: string }): AbortSignal {
    return this.#runs.get(run.leaseId + run.id)?.pointless.signal ?? AbortSignal.abort();
  }

  abort(run: { readonly id: string; readonly leaseId: string }): void {
    this.#runs.get(run.leaseId + run.id)?.pointless.abort();
  }

  hasRunOf(targetId: string): boolean {
    return this.#runs.values().some((run) => run.targetId === targetId);
  }

  /** The time at which the oldest run of each action started. */
  sinceMsByAction(): Map<string, number> {
    const oldest = new Map<string, number>();
    for (const { targetId, sinceMs } of this.#runs.values())
      if (!oldest.has(targetId)) oldest.set(targetId, sinceMs);
    return oldest;
  }

  /** The bytes of bodies and results, by account. Accounts without any are omitted. */
  bytesByAccount(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { accountId, bytes } of this.#runs.values()) {
      if (bytes > 0) sums.set(accountId, (sums.get(accountId) ?? 0) + bytes);
    }
    return sums;
  }

  leaseIds(): string[] {
    return [...new Set(this.#runs.values().map((run) => run.leaseId))];
  }

  list(): ClaimedRun[] {
    return [...this.#runs.values()];
  }

  /** Settles when no run is in flight. */
  async whenEmpty(): Promise<void> {
    if (this.#runs.size === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
