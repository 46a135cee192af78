import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ActionLimit } from "#lib/db/queue/claim/claim-runs.ts";
import type { ClaimedActionRun, ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import { freeUnreceived } from "#lib/db/queue/free-unreceived.ts";
import { releaseLeases, releaseRuns } from "#lib/db/queue/release-runs.ts";
import { Receiver } from "#lib/hand-off/receiver.ts";
import type { ActionLimits } from "../claim/action-limits.ts";
import { type InFlightRuns, isHandedOver } from "../claim/in-flight-runs.ts";
import { bootId } from "../rescue/worker-name.ts";
import { type RoomLimits, Rooms, refreshMs } from "./rooms.ts";
import { StartJournal } from "./start-journal.ts";
import { WaitingRuns } from "./waiting-runs.ts";

type ArrivalsOptions = {
  readonly db: SqlDatabase;
  readonly path: string;
  readonly limits: RoomLimits & { readonly leaseMs: number };
  readonly inFlight: InFlightRuns;
  readonly actionLimits: ActionLimits;
  /** Called with runs that start now. They are in flight when it returns. */
  readonly onRuns: (runs: readonly ClaimedActionRun[]) => void;
  /** Called after runs became due. */
  readonly onFreed: () => void;
};

/** The part of its lease that a run may wait. Then it goes back to the queue. */
const maxWait = 1 / 3;
/**
 * How often the runs of a lease are looked for, once a second: a statement of its catch process may
 * commit 4 s after the connection has ended.
 */
const looksForLease = 6;

/**
 * The runs that catch processes hand over to this worker (docs/decisions/runs/093). In a flood, some wait in
 * memory for a slot (docs/decisions/catch/173).
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #receiver: Receiver;
  readonly #rooms: Rooms;
  readonly #waiting = new WaitingRuns();
  readonly #journal: StartJournal;
  /** Runs that waited until the session was lost, or this process hung. They aren't free yet. */
  #forgotten: readonly ClaimedActionRun[] = [];
  /** The leases of connections that have ended, and how often their runs are still looked for. */
  readonly #closed = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  /** When this process was last known not to hang. */
  #aliveAtMs = performance.now();
  #isTelling = false;
  #isClaiming = false;
  /** True if runs came due while others waited here, so a claim may have seen only those. */
  #isClaimOwed = false;
  #isClosing = false;
  /** How often the runs of the process before this one are still looked for. */
  #looksForEarlier = looksForLease;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
    const { path, limits, inFlight } = options;
    this.#rooms = new Rooms(limits, inFlight, this.#waiting);
    this.#journal = new StartJournal(`${path}.started`, bootId);
    this.#receiver = new Receiver(path, {
      leaseMs: limits.leaseMs,
      onRuns: (runs) => this.#onRuns(runs),
      onOpened: (leaseId) => {
        this.#journal.open(leaseId);
        this.#rooms.startOver();
        this.#notifySoon();
      },
      onClosed: (leaseId) => {
        this.#closed.set(leaseId, looksForLease);
        // The others share the room.
        this.#rooms.startOver();
        void this.#free([leaseId]).catch(() => {});
      },
    });
    this.#timer = setInterval(() => this.#refresh(), refreshMs);
  }

  /** True if runs are handed over at the moment. */
  get isBusy(): boolean {
    return this.#rooms.isBusy(performance.now());
  }

  /** @param workerId undefined: it has lost its session, and doesn't hear of changes */
  setWorker(workerId: number | undefined): void {
    this.#receiver.setWorker(workerId);
    if (workerId === undefined) this.#giveBack(this.#waiting.takeAll());
  }

  /** A hook or one of its actions has changed: a claim has to look whether its runs may start. */
  onHookChanged(hookId: string): void {
    this.#giveBack(this.#waiting.takeOfHook(hookId));
  }

  /** The limits for a claim, without the slots of runs that are handed over, now or meanwhile. */
  beginClaim(limits: readonly ActionLimit[], nowMs: number): readonly ActionLimit[] {
    this.#isClaiming = true;
    if (this.#receiver.size === 0) return limits;
    const { actionCap } = this.#options.limits;
    return limits.map((known) => {
      const reserved = this.#rooms.reserved(known.targetId, nowMs);
      return reserved === 0 ? known : { ...known, limit: (known.limit ?? actionCap) - reserved };
    });
  }

  /** The leases of handed-over runs, which a claim must not count: its limits have left them out. */
  get leaseIds(): readonly string[] {
    return this.#receiver.leaseIds;
  }

  /** Runs are due that no worker has. */
  onDue(): void {
    this.#rooms.onStored(performance.now());
    if (this.#waiting.size > 0) this.#isClaimOwed = true;
  }

  endClaim(runs: readonly ClaimedRun[]): void {
    this.#isClaiming = false;
    this.#rooms.claimed(runs.map(({ targetId }) => targetId));
    this.changed(runs);
  }

  /** Runs have started, or ended. */
  changed(runs: readonly { readonly targetId: string; readonly accountId: string }[]): void {
    this.#rooms.change(runs);
    this.#startWaiting();
    this.#notifySoon();
  }

  onCalled(run: ClaimedRun): void {
    this.#rooms.learn(run);
  }

  /**
   * Frees what was stored for this worker and never arrived, and what the process before it had and never started.
   * Call it once a second, before runs of lost workers are rescued.
   */
  async freeLost(): Promise<void> {
    if (this.#looksForEarlier > 0) await this.#takeOver();
    await this.#freeForgotten();
    const leaseIds = [...this.#closed.keys()];
    if (leaseIds.length === 0) return;
    await this.#free(leaseIds);
    for (const leaseId of leaseIds) {
      const left = (this.#closed.get(leaseId) ?? 0) - 1;
      if (left > 0) this.#closed.set(leaseId, left);
      else this.#closed.delete(leaseId);
    }
  }

  /** @param workers the number of workers that share the limits */
  setWorkers(workers: number): void {
    this.#rooms.workers = Math.max(1, workers);
  }

  /** Settles when everything that was stored for this worker has arrived or is free again. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosing = true;
    this.#options.onRuns(this.#waiting.takeAll());
    await this.#receiver.close();
    const isFree = await this.freeLost().then(
      () => true,
      () => false,
    );
    // What is still in flight has started.
    if (isFree) this.#journal.rewrite([], []);
    this.#journal.close();
  }

  async #takeOver(): Promise<void> {
    const { leaseIds, startedIds } = this.#journal.before;
    if (leaseIds.length > 0) {
      const freed = await releaseLeases(this.#options.db, leaseIds, startedIds);
      if (freed > 0) log.info("hand_off.runs_taken_over", { runs: freed });
      if (freed > 0) this.#options.onFreed();
    }
    this.#looksForEarlier = leaseIds.length > 0 ? this.#looksForEarlier - 1 : 0;
    if (this.#looksForEarlier === 0) this.#shortenJournal();
  }

  async #freeForgotten(): Promise<void> {
    const forgotten = this.#forgotten;
    if (forgotten.length === 0) return;
    await releaseRuns(this.#options.db, forgotten);
    const freed = new Set(forgotten);
    this.#forgotten = this.#forgotten.filter((run) => !freed.has(run));
    this.#options.onFreed();
  }

  #shortenJournal(): void {
    const waiting = [...this.#waiting.list(), ...this.#forgotten].map(({ leaseId }) => leaseId);
    const leaseIds = new Set([...this.#receiver.leaseIds, ...this.#closed.keys(), ...waiting]);
    this.#journal.rewrite([...leaseIds], this.#options.inFlight.list().filter(isHandedOver));
  }

  /** @param leaseIds of connections that have ended */
  async #free(leaseIds: readonly string[]): Promise<void> {
    const { db, inFlight, onFreed } = this.#options;
    const all = [...inFlight.list(), ...this.#waiting.list(), ...this.#forgotten];
    const held = all.filter(({ leaseId }) => leaseIds.includes(leaseId));
    const freed = await freeUnreceived(db, { leaseIds, heldIds: held.map(({ id }) => id) });
    if (freed === 0) return;
    log.warn("hand_off.runs_freed", { runs: freed });
    onFreed();
  }

  #onRuns(runs: readonly ClaimedActionRun[]): void {
    // They become free with their connection, unless another worker has them already.
    if (this.#hasHung()) {
      this.#drop();
      return;
    }
    if (this.#isClosing) {
      this.#options.onRuns(runs);
      return;
    }
    const nowMs = performance.now();
    this.#rooms.handedOver(runs, nowMs);
    this.#waiting.add(runs, nowMs);
    this.changed(runs);
  }

  #startWaiting(): void {
    if (this.#waiting.size === 0) return;
    if (this.#hasHung()) {
      this.#drop();
      return;
    }
    const nowMs = performance.now();
    const room = (next: ClaimedActionRun) => this.#rooms.toStart(next, nowMs);
    this.#waiting.start(room, (runs) => {
      this.#journal.start(runs);
      this.#rooms.handedOver(runs, nowMs);
      this.#rooms.change(runs);
      this.#options.onRuns(runs);
    });
    if (this.#waiting.size > 0 || !this.#isClaimOwed) return;
    this.#isClaimOwed = false;
    this.#options.onFreed();
  }

  /** Ends all connections, and starts nothing of what waits: its leases may be over. */
  #drop(): void {
    this.#receiver.dropAll();
    this.#giveBack(this.#waiting.takeAll());
  }

  /** Runs that wait go back to the queue, as if never leased. If that fails now, `freeLost` does it. */
  #giveBack(runs: readonly ClaimedActionRun[]): void {
    if (runs.length === 0) return;
    this.#forgotten = [...this.#forgotten, ...runs];
    this.#rooms.change(runs);
    this.#freeForgotten().catch((error) =>
      log.warn("hand_off.not_released", { runs: runs.length, error: toError(error) }),
    );
  }

  /** True if the leases of what arrived while it hung may be over. */
  #hasHung(): boolean {
    return performance.now() - this.#aliveAtMs > this.#options.limits.leaseMs / 2;
  }

  #refresh(): void {
    const { actionLimits, inFlight, limits } = this.#options;
    if (this.#hasHung()) this.#drop();
    const nowMs = performance.now();
    this.#aliveAtMs = nowMs;
    this.#giveBack(this.#waiting.takeLate(nowMs - maxWait * limits.leaseMs));
    if (this.#journal.isFull && this.#looksForEarlier === 0) this.#shortenJournal();
    if (this.#receiver.size === 0) return;
    this.#rooms.mayWait = this.#journal.works;
    this.#rooms.measure();
    const known = actionLimits.list(performance.now(), inFlight.sinceMsByAction());
    const quick = known.filter(({ isQuick, limit }) => isQuick && limit === null);
    this.#rooms.refresh(quick.map(({ targetId }) => targetId));
    this.#startWaiting();
    this.#notifySoon();
  }

  /** Once for everything that happens in this turn. What is claimed meanwhile isn't known yet. */
  #notifySoon(): void {
    if (this.#isTelling || this.#isClaiming || this.#receiver.size === 0) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      if (this.#isClaiming || this.#receiver.size === 0) return;
      const { all, rooms } = this.#rooms.take(this.#receiver.size, performance.now());
      this.#receiver.tell(all, rooms);
    });
  }
}
