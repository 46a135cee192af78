import { log } from "#lib/base/log.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { ActionLimit } from "#lib/db/queue/claim/claim-runs.ts";
import type { ClaimedActionRun, ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import { freeUnreceived } from "#lib/db/queue/free-unreceived.ts";
import { Receiver } from "#lib/hand-off/receiver.ts";
import type { ActionLimits } from "../claim/action-limits.ts";
import type { InFlightRuns } from "../claim/in-flight-runs.ts";
import { type RoomLimits, Rooms } from "./rooms.ts";

type ArrivalsOptions = {
  readonly db: SqlStatements;
  readonly path: string;
  readonly limits: RoomLimits & { readonly leaseMs: number };
  readonly inFlight: InFlightRuns;
  readonly actionLimits: ActionLimits;
  readonly onRuns: (runs: readonly ClaimedActionRun[]) => void;
  /** Called after runs became due. */
  readonly onFreed: () => void;
};

/** How often it looks again which actions are quick, and says that it is alive. */
const refreshMs = 250;
/**
 * How often the runs of a lease are looked for, once a second: a statement of its catch process may
 * commit 4 s after the connection has ended.
 */
const looksForLease = 6;

/** The runs that catch processes hand over to this worker (docs/decisions/runs/093). */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #receiver: Receiver;
  readonly #rooms: Rooms;
  /** The leases of connections that have ended, and how often their runs are still looked for. */
  readonly #closed = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  /** When this process was last known not to hang. */
  #aliveAtMs = performance.now();
  #isTelling = false;
  #isClaiming = false;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
    const { path, limits, inFlight } = options;
    this.#rooms = new Rooms(limits, inFlight);
    this.#receiver = new Receiver(path, {
      leaseMs: limits.leaseMs,
      onRuns: (runs) => this.#onRuns(runs),
      onOpened: () => {
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

  setWorker(workerId: number | undefined): void {
    this.#receiver.setWorker(workerId);
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
  }

  endClaim(runs: readonly ClaimedRun[]): void {
    this.#isClaiming = false;
    this.#rooms.claimed(runs.map(({ targetId }) => targetId));
    this.changed(runs);
  }

  /** Runs have started, or ended. */
  changed(runs: readonly { readonly targetId: string; readonly accountId: string }[]): void {
    this.#rooms.change(runs);
    this.#notifySoon();
  }

  onCalled(run: ClaimedRun): void {
    this.#rooms.learn(run);
  }

  /** Frees what was stored for this worker and never arrived. Call it once a second. */
  async freeLost(): Promise<void> {
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
    await this.#receiver.close();
    await this.freeLost().catch(() => {});
  }

  /** @param leaseIds of connections that have ended */
  async #free(leaseIds: readonly string[]): Promise<void> {
    const { db, inFlight, onFreed } = this.#options;
    const held = inFlight.list().filter(({ leaseId }) => leaseIds.includes(leaseId));
    const freed = await freeUnreceived(db, { leaseIds, heldIds: held.map(({ id }) => id) });
    if (freed === 0) return;
    log.warn("hand_off.runs_freed", { runs: freed });
    onFreed();
  }

  #onRuns(runs: readonly ClaimedActionRun[]): void {
    // They become free with their connection, unless another worker has them already.
    if (this.#hasHung()) {
      this.#receiver.dropAll();
      return;
    }
    this.#rooms.handedOver(runs, performance.now());
    this.#options.onRuns(runs);
    this.changed(runs);
  }

  /** True if the leases of what arrived while it hung may be over. */
  #hasHung(): boolean {
    return performance.now() - this.#aliveAtMs > this.#options.limits.leaseMs / 2;
  }

  #refresh(): void {
    const { actionLimits, inFlight } = this.#options;
    if (this.#hasHung()) this.#receiver.dropAll();
    this.#aliveAtMs = performance.now();
    if (this.#receiver.size === 0) return;
    const known = actionLimits.list(performance.now(), inFlight.sinceMsByAction());
    const quick = known.filter(({ isQuick, limit }) => isQuick && limit === null);
    this.#rooms.refresh(quick.map(({ targetId }) => targetId));
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
