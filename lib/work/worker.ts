import { setTimeout as delay } from "node:timers/promises";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { claimRuns } from "#lib/db/queue/claim-runs.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { renewLeases } from "#lib/db/queue/renew-leases.ts";
import type { SqlDatabase } from "#lib/db/sql-database.ts";
import { toError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import { ActionConfigs } from "./action-config.ts";
import { every } from "./every.ts";
import { FinishQueue } from "./finish-queue.ts";
import { HeldRuns } from "./held-runs.ts";
import { LaneMemory } from "./lane-memory.ts";
import { Reaper } from "./reaper.ts";
import { type StartOptions, startRuns } from "./start-runs.ts";
import { Wake } from "./wake.ts";
import { WorkerSession } from "./worker-session.ts";

export type WorkerOptions = {
  readonly db: SqlDatabase;
  /** For the connection whose life is the worker's life. */
  readonly databaseUrl: string;
  readonly client: HttpClient;
  readonly sealer: Sealer;
  /** Of Catchment, for `User-Agent`. */
  readonly version: string;
  readonly limits?: Partial<WorkerLimits>;
};

export type WorkerLimits = {
  /** Runs in the hands of this worker; each is hardly more than a socket. */
  readonly maxRuns: number;
  /** Bodies in memory, in bytes. */
  readonly maxBytes: number;
  /** Runs of one action at a time, over all workers, unless the action says otherwise. */
  readonly laneCap: number;
  /** Runs of one account at a time, over all workers. */
  readonly accountCap: number;
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly pollMs: number;
  readonly reapEveryMs: number;
};

const defaultLimits: WorkerLimits = {
  maxRuns: 2_048,
  maxBytes: 64 * 1024 * 1024,
  laneCap: 200,
  accountCap: 400,
  leaseMs: 30_000,
  renewEveryMs: 10_000,
  pollMs: 1_000,
  reapEveryMs: 1_000,
};

/**
 * Claims due runs, makes their calls, records what came of them. All state is in the database: a worker that dies
 * loses nothing, and one whose database is away waits for it with the results in hand.
 */
export class RunWorker {
  readonly #db: SqlDatabase;
  readonly #limits: WorkerLimits;
  readonly #laneMemory = new LaneMemory();
  readonly #held: HeldRuns;
  readonly #finishes: FinishQueue;
  readonly #reaper: Reaper;
  readonly #wake = new Wake();
  readonly #start: StartOptions;
  #lastFind = { tookMs: 0, at: 0 };
  readonly #stopping = new AbortController();
  readonly #callsEnd = new AbortController();
  readonly #session: WorkerSession;
  readonly #claiming: Promise<void>;
  readonly #loops: Promise<void>[];

  constructor(options: WorkerOptions) {
    this.#db = options.db;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#held = new HeldRuns(this.#limits);
    this.#finishes = new FinishQueue(options.db, (batch, late) => this.#onFinished(batch, late));
    this.#reaper = new Reaper(options.db, this.#limits.laneCap);
    this.#start = {
      db: options.db,
      client: options.client,
      configs: new ActionConfigs(options.sealer),
      version: options.version,
      stopping: this.#stopping.signal,
      signal: this.#callsEnd.signal,
      onFinished: (run) => this.#finishes.add(run),
      onReleased: (runs) => {
        for (const run of runs) this.#held.remove(run);
      },
    };
    this.#session = new WorkerSession({
      url: options.databaseUrl,
      onDue: () => this.#wake.ring(),
      onRegistered: (workerId) => {
        void this.#renew(workerId).catch(() => {});
        this.#wake.ring();
      },
    });
    const { renewEveryMs, reapEveryMs } = this.#limits;
    const { signal } = this.#stopping;
    this.#claiming = this.#claimLoop();
    this.#loops = [
      every(renewEveryMs, this.#callsEnd.signal, () => this.#renew(this.#session.workerId)),
      every(
        reapEveryMs,
        signal,
        () => this.#reap(),
        () => this.#reaper.startOver(),
      ),
    ];
  }

  /** Runs in this worker's hands. */
  get size(): number {
    return this.#held.size;
  }

  /** True once it is registered and can claim. */
  get isReady(): boolean {
    return this.#session.workerId !== undefined;
  }

  /**
   * Takes nothing new, lets calls under way end for `graceMs`, then ends them; all runs are finished or back in the queue
   * when it settles.
   */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#wake.ring();
    const timer = setTimeout(() => this.#callsEnd.abort(), graceMs);
    // With the database away results can't be written; their leases run out.
    const lastTimer = setTimeout(() => this.#giveUp(), graceMs + flushMs);
    await this.#claiming;
    await this.#held.whenEmpty();
    clearTimeout(timer);
    clearTimeout(lastTimer);
    this.#callsEnd.abort();
    this.#finishes.close();
    await Promise.all(this.#loops);
    await this.#session.close();
  }

  async #claimLoop(): Promise<void> {
    const { pollMs } = this.#limits;
    for (let failures = 0; !this.#stopping.signal.aborted; ) {
      try {
        const startedAt = performance.now();
        const claimed = await this.#claim();
        failures = 0;
        if (claimed > 0) await this.#pause(claimGapMs - (performance.now() - startedAt));
        await this.#pause(this.#slowdownMs());
        // What comes due meanwhile rings, and so does every place that gets free.
        await this.#wake.wait(pollMs);
      } catch (error) {
        failures += 1;
        if (failures % 10 === 1) log.error("runs.claim_failed", { error: toError(error) });
        await this.#wake.wait(Math.min(50 * 2 ** failures, 2_000));
      }
    }
  }

  /** While the last claim that found something is recent and was slow, also one that found nothing waits before the next. */
  #slowdownMs(): number {
    const { tookMs, at } = this.#lastFind;
    if (tookMs < quickMs || performance.now() - at > recentMs) return 0;
    return Math.min(slowdown * tookMs, longestGapMs);
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  /** @returns how many it took */
  async #claim(): Promise<number> {
    const { workerId } = this.#session;
    const { freeSlots, freeBytes } = this.#held;
    if (workerId === undefined || freeSlots <= 0 || freeBytes <= 0) return 0;
    const { leaseMs, laneCap, accountCap } = this.#limits;
    const askedAt = performance.now();
    const knownLanes = this.#laneMemory.choose(askedAt);
    const claim = await claimRuns(this.#db, {
      workerId,
      leaseId: newId(),
      leaseMs,
      freeSlots,
      freeBytes,
      heldBytes: this.#held.bytesByAccount(),
      laneCap,
      accountCap,
      takesSuspect: this.#held.takesSuspect(askedAt),
      ...(knownLanes === undefined ? {} : { knownLanes }),
    });
    const { runs } = claim;
    const claimedAt = performance.now();
    if (runs.length > 0) this.#lastFind = { tookMs: claim.tookMs, at: claimedAt };
    for (const run of runs) this.#held.add(run, claimedAt);
    this.#laneMemory.learn(claim, knownLanes === undefined, claimedAt, (id) => this.#held.holdsRunOf(id));
    // It registered anew meanwhile, and what it held was put under the new id before these came.
    const { workerId: idNow } = this.#session;
    if (runs.length > 0 && idNow !== workerId) void this.#renew(idNow).catch(() => {});
    if (runs.length > 0) void startRuns(runs, this.#start);
    return runs.length;
  }

  #onFinished(batch: readonly FinishedRun[], late: ReadonlySet<string>): void {
    for (const run of batch) {
      this.#held.remove(run);
      if (late.has(run.id)) log.warn("run.late", { runId: run.id });
    }
    this.#wake.ring();
    const soon = batch.flatMap(({ next }) =>
      "delayMs" in next && next.delayMs < this.#limits.pollMs ? [next.delayMs] : [],
    );
    if (soon.length > 0) setTimeout(() => this.#wake.ring(), Math.min(...soon) + 1).unref();
  }

  async #renew(workerId: number | undefined): Promise<void> {
    if (workerId === undefined) return;
    await renewLeases(this.#db, {
      leases: this.#held.list(),
      leaseMs: this.#limits.leaseMs,
      workerId,
    });
  }

  async #reap(): Promise<void> {
    const reaped = await this.#reaper.round();
    for (const run of reaped) {
      log.warn("run.reaped", { runId: run.id, accountId: run.accountId, parked: run.isParked });
    }
    if (reaped.length > 0) this.#wake.ring();
  }

  #giveUp(): void {
    this.#finishes.close();
    for (const run of this.#held.list()) this.#held.remove(run);
  }
}

/**
 * Between two claims that find something. One costs 1 to 3 ms of the database's time whatever it takes, so under load, which shows in
 * how long the database took, fewer and larger ones leave more for everything else; a run that comes due on an idle worker
 * is claimed at once all the same.
 */
const claimGapMs = 10;
const quickMs = 3;
const slowdown = 2;
const longestGapMs = 25;
const recentMs = 200;

/** For results to reach the database after the last call has ended. */
const flushMs = 3_000;
