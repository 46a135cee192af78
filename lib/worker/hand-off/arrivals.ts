import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ActionLimit } from "#lib/db/queue/claim/claim-runs.ts";
import type { ClaimedActionRun, ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import { Receiver } from "#lib/hand-off/receiver.ts";
import type { ActionLimits } from "../claim/action-limits.ts";
import { type InFlightRuns, isHandedOver } from "../claim/in-flight-runs.ts";
import { bootId } from "../rescue/worker-name.ts";
import { ClosedLeases, looksForLease } from "./closed-leases.ts";
import { ReturnedRuns } from "./returned-runs.ts";
import { type RoomLimits, Rooms } from "./rooms.ts";
import { StartJournal } from "./start-journal.ts";
import { TakeOver } from "./take-over.ts";
import { WaitingRuns } from "./waiting-runs.ts";

export type ArrivalsOptions = {
  readonly db: SqlDatabase;
  readonly path: string;
  /** The file that notes which runs have started. Undefined: none may wait in memory. */
  readonly startJournal: string | undefined;
  readonly limits: RoomLimits & { readonly leaseMs: number };
  readonly inFlight: InFlightRuns;
  readonly actionLimits: ActionLimits;
  /** Called with runs that start now. They are in flight when it returns. */
  readonly onRuns: (runs: readonly ClaimedActionRun[]) => void;
  /** Called after runs became due. */
  readonly onFreed: () => void;
};

/** How often it looks again which actions are quick, and says that it is alive. */
const refreshMs = 250;
/** A statement that began before a hook changed may store and hand over for this time. */
const changeMs = 5_000;
/** The part of its lease that a run may wait. Then it goes back to the queue. */
const maxWait = 1 / 3;

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
  readonly #returned: ReturnedRuns;
  /** The runs of the process before this one. */
  readonly #earlier: TakeOver;
  /** The hooks that have changed lately, and when. */
  readonly #changed = new Map<string, number>();
  readonly #closed: ClosedLeases;
  readonly #timer: NodeJS.Timeout;
  /** When this process was last known not to hang. */
  #aliveAtMs = performance.now();
  #isTelling = false;
  #isClaiming = false;
  /** True if runs came due while others waited here, so a claim may have seen only those. */
  #isClaimOwed = false;
  #isClosing = false;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
    const { path, limits, inFlight } = options;
    this.#rooms = new Rooms(limits, inFlight, this.#waiting);
    this.#journal = new StartJournal(options.startJournal, bootId);
    this.#closed = new ClosedLeases({
      db: options.db,
      listHeld: () => [...inFlight.list(), ...this.#waiting.list(), ...this.#returned.list()],
      onFreed: options.onFreed,
    });
    this.#returned = new ReturnedRuns(options.db, options.onFreed);
    this.#earlier = new TakeOver(options.db, this.#journal.before, looksForLease);
    this.#receiver = new Receiver(path, {
      leaseMs: limits.leaseMs,
      onRuns: (runs) => this.#onRuns(runs),
      onOpened: (leaseId) => {
        this.#journal.open(leaseId);
        this.#rooms.startOver();
        this.#notifySoon();
      },
      onClosed: (leaseId) => {
        this.#closed.add(leaseId);
        // The others share the room.
        this.#rooms.startOver();
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

  /** A hook or an action has changed, or runs were canceled: a claim has to look which may start. */
  onHookChanged(hookId: string): void {
    this.#changed.set(hookId, performance.now());
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
    return [...new Set([...this.#receiver.leaseIds, ...this.#waiting.leaseIds])];
  }

  /** The ids of runs that wait, or go back to the queue. */
  get runIds(): readonly string[] {
    return [...this.#waiting.list(), ...this.#returned.list()].map(({ id }) => id);
  }

  /** The bytes of bodies that wait. */
  get waitingBytes(): number {
    return this.#waiting.bytes;
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
    await this.#takeOver();
    await this.#returned.write();
    await this.#closed.look();
  }

  /** @param workers the number of workers that share the limits */
  setWorkers(workers: number): void {
    this.#rooms.workers = Math.max(1, workers);
    // The others don't know what has started here.
    if (workers > 1) this.#giveBack(this.#waiting.takeAll());
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
    // What is still in flight may have started.
    if (isFree) this.#journal.rewrite([], []);
    this.#journal.close();
  }

  async #takeOver(): Promise<void> {
    if (this.#earlier.isOver) return;
    if ((await this.#earlier.look()) > 0) this.#options.onFreed();
    if (this.#earlier.isOver) this.#shortenJournal();
  }

  #shortenJournal(): void {
    const returned = this.#returned.list().map(({ leaseId }) => leaseId);
    const leaseIds = new Set([...this.leaseIds, ...this.#closed.ids, ...returned]);
    this.#journal.rewrite([...leaseIds], this.#options.inFlight.list().filter(isHandedOver));
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
    for (const hookId of this.#changed.keys()) this.#giveBack(this.#waiting.takeOfHook(hookId));
  }

  #startWaiting(): void {
    if (this.#waiting.size === 0) return;
    if (this.#hasHung()) {
      this.#drop();
      return;
    }
    const nowMs = performance.now();
    this.#giveBack(this.#waiting.takeLate(nowMs - maxWait * this.#options.limits.leaseMs));
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

  #giveBack(runs: readonly ClaimedActionRun[]): void {
    if (runs.length === 0) return;
    this.#rooms.change(runs);
    this.#returned.add(runs);
  }

  /** True if the leases of what arrived while it hung may be over. */
  #hasHung(): boolean {
    return performance.now() - this.#aliveAtMs > this.#options.limits.leaseMs / 2;
  }

  #refresh(): void {
    if (this.#hasHung()) this.#drop();
    const nowMs = performance.now();
    this.#aliveAtMs = nowMs;
    for (const [hookId, atMs] of this.#changed)
      if (nowMs - atMs > changeMs) this.#changed.delete(hookId);
    if (this.#journal.isFull && this.#earlier.isOver) this.#shortenJournal();
    this.#rooms.mayWait = this.#journal.works;
    this.#rooms.measure(nowMs);
    if (this.#receiver.size > 0) this.#refreshRooms(nowMs);
    this.#startWaiting();
  }

  #refreshRooms(nowMs: number): void {
    const { actionLimits, inFlight } = this.#options;
    const known = actionLimits.list(nowMs, inFlight.sinceMsByAction());
    const quick = known.filter(({ isQuick, limit }) => isQuick && limit === null);
    const quickIds = new Set(quick.map(({ targetId }) => targetId));
    const learned = known.flatMap(({ targetId, limit }) =>
      limit === null ? [] : [[targetId, limit] as const],
    );
    this.#rooms.refresh(quickIds, new Map(learned));
    // The claim knows how many may start of an action that is slow or fails.
    for (const { targetId } of known)
      if (!quickIds.has(targetId)) this.#giveBack(this.#waiting.takeOfAction(targetId));
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
