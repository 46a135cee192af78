import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { type ActionLimit, claimRuns } from "#lib/db/queue/claim/claim-runs.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { WakeSignal } from "../results/wake-signal.ts";
import type { ActionLimits } from "./action-limits.ts";
import { ActionQueueMemory } from "./action-queue-memory.ts";
import type { InFlightRuns } from "./in-flight-runs.ts";

type ClaimLimits = {
  readonly leaseMs: number;
  readonly actionCap: number;
  readonly accountCap: number;
  readonly quickReserve: number;
  readonly pollMs: number;
  readonly unansweredMs: number;
};

/** Runs that are handed over have slots too. */
type Arriving = {
  readonly isBusy: boolean;
  readonly leaseIds: readonly string[];
  readonly waitingBytes: number;
  beginClaim(limits: readonly ActionLimit[], nowMs: number): readonly ActionLimit[];
  endClaim(runs: readonly ClaimedRun[]): void;
};

type ClaimerOptions = {
  readonly db: SqlDatabase;
  readonly limits: ClaimLimits;
  readonly inFlight: InFlightRuns;
  readonly actionLimits: ActionLimits;
  /** Undefined: no catch process hands runs over. */
  readonly arrivals: Arriving | undefined;
  readonly wake: WakeSignal;
  readonly stopping: AbortSignal;
  /** Undefined while the worker isn't registered. */
  readonly workerId: () => number | undefined;
  /** Called with the runs that this worker id claimed. They are in flight. */
  readonly onClaimed: (runs: readonly ClaimedRun[], workerId: number) => void;
};

/** Claims due runs, whenever there may be some and room for them. */
export class Claimer {
  readonly #options: ClaimerOptions;
  readonly #queueMemory = new ActionQueueMemory();
  /** True while claims include actions with a breaker, an order, or a destination. */
  hasControl = true;
  #leaseId: string | undefined;
  /** When claims got no response, by their leases. They may have leased runs nevertheless. */
  readonly #unanswered = new Map<string, number>();
  #hasMore = true;
  /** True if slots that become free in a moment make the next claim larger. */
  #isWorthWaiting = false;
  /** True if the last claim failed, maybe because of a delivery that it would have included. */
  #isInlineBroken = false;
  #lastFind = { durationMs: 0, at: 0 };

  constructor(options: ClaimerOptions) {
    this.#options = options;
  }

  /** The lease of the latest claim: its runs are leased before the statement's response arrives. */
  get leaseId(): string | undefined {
    return this.#leaseId;
  }

  /**
   * Takes the leases of claims that got no response and have surely ended since. None of their runs
   * was started.
   */
  takeUnanswered(): readonly string[] {
    const untilMs = performance.now() - this.#options.limits.unansweredMs;
    const ended = [...this.#unanswered].flatMap(([leaseId, at]) => (at <= untilMs ? leaseId : []));
    for (const leaseId of ended) this.#unanswered.delete(leaseId);
    return ended;
  }

  /** True if due runs may wait for slots of others. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Settles once the worker stops. */
  async loop(): Promise<void> {
    const { limits, stopping, wake } = this.#options;
    for (let failures = 0; !stopping.aborted; ) {
      try {
        const startedAt = performance.now();
        const claimed = await this.#claim();
        failures = 0;
        if (claimed > 0) await this.#pause(this.#gapMs - (performance.now() - startedAt));
        await this.#pause(slowdownMs(this.#lastFind, performance.now()));
        // Runs that come due and slots that become free both send a notification.
        await wake.wait(limits.pollMs);
      } catch (error) {
        failures += 1;
        this.#isInlineBroken = !isDatabaseUnavailable(error);
        if (failures % 10 === 1) log.error("runs.claim_failed", { error: toError(error) });
        await wake.wait(Math.min(50 * 2 ** failures, 2_000));
      }
    }
  }

  get #gapMs(): number {
    if (this.#options.arrivals?.isBusy === true) return sparseClaimGapMs;
    return this.#isWorthWaiting ? busyClaimGapMs : claimGapMs;
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await delay(ms, undefined, { signal: this.#options.stopping }).catch(() => {});
  }

  /** @returns the number of claimed runs */
  async #claim(): Promise<number> {
    const { inFlight, actionLimits, arrivals, onClaimed } = this.#options;
    const workerId = this.#options.workerId();
    this.#hasMore = true;
    if (workerId === undefined || inFlight.freeSlots <= 0 || inFlight.freeBytes <= 0) return 0;
    const askedAt = performance.now();
    const learned = actionLimits.list(askedAt, inFlight.sinceMsByAction());
    let runs: readonly ClaimedRun[] = [];
    try {
      const own = arrivals?.beginClaim(learned, askedAt) ?? learned;
      runs = await this.#find(workerId, own, askedAt);
    } finally {
      arrivals?.endClaim(runs);
    }
    if (runs.length > 0) onClaimed(runs, workerId);
    return runs.length;
  }

  async #find(
    workerId: number,
    actionLimits: readonly ActionLimit[],
    askedAt: number,
  ): Promise<readonly ClaimedRun[]> {
    const { db, limits, inFlight, arrivals } = this.#options;
    const { freeSlots } = inFlight;
    const freeBytes = inFlight.freeBytes - (arrivals?.waitingBytes ?? 0);
    const { leaseMs, actionCap, accountCap, quickReserve } = limits;
    const knownQueues = this.#queueMemory.choose(askedAt);
    const leaseId = newId();
    this.#leaseId = leaseId;
    const claiming = claimRuns(db, {
      workerId,
      leaseId,
      leaseMs,
      freeSlots,
      freeBytes,
      inFlightBytes: inFlight.bytesByAccount(),
      actionCap,
      accountCap,
      quickReserve,
      actionLimits,
      handOffLeaseIds: arrivals?.leaseIds ?? [],
      // One delivery that can't be read must not keep the others from being claimed.
      ...(this.#isInlineBroken ? { inlineBytes: -1 } : {}),
      hasControl: this.hasControl,
      allowCrashCandidate: inFlight.allowCrashCandidate(askedAt),
      ...(knownQueues === undefined ? {} : { knownQueues }),
    });
    const claim = await claiming.catch((error: unknown) => {
      // With a response of PostgreSQL, it has leased nothing.
      if (sqlStateOf(error) === null) this.#unanswered.set(leaseId, performance.now());
      throw error;
    });
    this.#isInlineBroken = false;
    const { runs, durationMs } = claim;
    const claimedAt = performance.now();
    const isFlood = claim.hasMore && inFlight.size >= manyRuns && runs.length >= someRuns;
    this.#isWorthWaiting = isFlood && runs.length < manyRuns;
    // A claim of known queues doesn't see the others.
    this.#hasMore = claim.hasMore || knownQueues !== undefined;
    if (runs.length > 0) this.#lastFind = { durationMs, at: claimedAt };
    for (const run of runs) inFlight.add(run, claimedAt);
    this.#queueMemory.learn(claim, knownQueues === undefined, claimedAt, (id) =>
      inFlight.hasRunOf(id),
    );
    return runs;
  }
}

/**
 * The pause between two successful claims. A claim costs 1 to 3 ms of database time regardless of
 * its result, so under load (when the database responds slowly) fewer and larger claims leave more
 * for everything else. A run that comes due on an idle worker is still claimed at once.
 */
const claimGapMs = 10;
/** The same in a flood, while claims find some slots and not many: a claim costs as much as 70 of its runs. */
const busyClaimGapMs = 25;
const someRuns = 10;
const manyRuns = 100;
/** The same while runs are handed over: what is claimed then has waited already. */
const sparseClaimGapMs = 50;
const quickMs = 3;
const slowdown = 2;
const maxGapMs = 25;
const recentMs = 200;

/**
 * If the last successful claim was recent and slow, an empty claim also waits before the next.
 */
function slowdownMs(
  { durationMs, at }: { readonly durationMs: number; readonly at: number },
  nowMs: number,
): number {
  if (durationMs < quickMs || nowMs - at > recentMs) return 0;
  return Math.min(slowdown * durationMs, maxGapMs);
}
