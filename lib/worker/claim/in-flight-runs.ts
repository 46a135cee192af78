import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";

/**
 * Enough time to load, build, and call a run. Slower receivers must not make all crash candidates
 * wait for each other.
 */
const crashCandidateMs = 1_000;

type OfAction = { count: number; handedOver: number };
type OfAccount = { count: number; bytes: number };

/** The runs of one worker, from the claim until the result is in the database. */
export class InFlightRuns {
  readonly #maxRuns: number;
  readonly #maxBytes: number;
  readonly #runs = new Map<
    string,
    ClaimedRun & { readonly sinceMs: number; readonly pointless: AbortController; bytes: number }
  >();
  readonly #byAction = new Map<string, OfAction>();
  readonly #byAccount = new Map<string, OfAccount>();
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
    this.#count(run, run.bodySize, 1);
    if (run.isCrashCandidate) this.#crashCandidate = { key, sinceMs: nowMs };
  }

  /** The results of a run's steps, in bytes, stay in memory for the later steps. */
  keepResults(run: { readonly id: string; readonly leaseId: string }, bytes: number): void {
    const found = this.#runs.get(run.leaseId + run.id);
    if (found === undefined) return;
    this.#count(found, found.bodySize + bytes - found.bytes, 0);
    found.bytes = found.bodySize + bytes;
  }

  /** @returns the run, if it was in flight */
  remove(run: { readonly id: string; readonly leaseId: string }): ClaimedRun | undefined {
    const key = run.leaseId + run.id;
    const found = this.#runs.get(key);
    if (found === undefined) return undefined;
    this.#runs.delete(key);
    this.#count(found, -found.bytes, -1);
    if (this.#crashCandidate?.key === key) this.#crashCandidate = undefined;
    if (this.#runs.size === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
    return found;
  }

  /** Aborted once work on the run is pointless. It may still be in flight. */
  pointlessSignal(run: { readonly id: string; readonly leaseId: string }): AbortSignal {
    return this.#runs.get(run.leaseId + run.id)?.pointless.signal ?? AbortSignal.abort();
  }

  abort(run: { readonly id: string; readonly leaseId: string }): void {
    this.#runs.get(run.leaseId + run.id)?.pointless.abort();
  }

  hasRunOf(targetId: string): boolean {
    return this.#byAction.has(targetId);
  }

  /** The runs of an action, and those among them that were handed over. */
  ofAction(targetId: string): Readonly<OfAction> {
    return this.#byAction.get(targetId) ?? { count: 0, handedOver: 0 };
  }

  /** The runs of an account, and the bytes of their bodies and results. */
  ofAccount(accountId: string): Readonly<OfAccount> {
    return this.#byAccount.get(accountId) ?? { count: 0, bytes: 0 };
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
    const held = [...this.#byAccount].filter(([, { bytes }]) => bytes > 0);
    return new Map(held.map(([accountId, { bytes }]) => [accountId, bytes]));
  }

  /** The leases of runs that were claimed. */
  leaseIds(): string[] {
    const claimed = this.#runs.values().filter((run) => !isHandedOver(run));
    return [...new Set(claimed.map((run) => run.leaseId))];
  }

  /** The ids of runs that were handed over. Others may have the same lease. */
  handedOverIds(): string[] {
    return [
      ...this.#runs
        .values()
        .filter(isHandedOver)
        .map((run) => run.id),
    ];
  }

  list(): ClaimedRun[] {
    return [...this.#runs.values()];
  }

  #count(run: ClaimedRun, bytes: number, runs: -1 | 0 | 1): void {
    const { targetId, accountId } = run;
    const action = this.#byAction.get(targetId) ?? { count: 0, handedOver: 0 };
    const account = this.#byAccount.get(accountId) ?? { count: 0, bytes: 0 };
    action.count += runs;
    if (isHandedOver(run)) action.handedOver += runs;
    account.count += runs;
    account.bytes += bytes;
    this.#bytes += bytes;
    keep(this.#byAction, targetId, action);
    keep(this.#byAccount, accountId, account);
  }

  /** Settles when no run is in flight. */
  async whenEmpty(): Promise<void> {
    if (this.#runs.size === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}

export function isHandedOver(run: ClaimedRun): boolean {
  return run.kind === "action" && run.isHandedOver;
}

function keep<Counted extends { readonly count: number }>(
  counts: Map<string, Counted>,
  key: string,
  counted: Counted,
): void {
  if (counted.count === 0) counts.delete(key);
  else counts.set(key, counted);
}
