import { log } from "#lib/base/log.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { listTypeVersions } from "#lib/db/event-types/type-versions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import { hasControl } from "#lib/db/queue/control/claim-parts.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { releaseLeases } from "#lib/db/queue/release-runs.ts";
import { type Lease, renewLeases } from "#lib/db/queue/renew-leases.ts";
import { countWorkers } from "#lib/db/queue/workers.ts";
import { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import { shareReads } from "#lib/threads/transform/to-pinned-version.ts";
import type { WorkTasks } from "./action/execute-options.ts";
import { ActionLimits } from "./claim/action-limits.ts";
import { Claimer } from "./claim/claimer.ts";
import { InFlightRuns, isHandedOver } from "./claim/in-flight-runs.ts";
import { openActionConfigs } from "./config/action-config.ts";
import { openSendConfigs } from "./config/send-config.ts";
import { every } from "./every.ts";
import { type StartOptions, startRuns } from "./execute/start-runs.ts";
import { Arrivals, type ArrivalsOptions } from "./hand-off/arrivals.ts";
import { reportFinished } from "./outcome/worker-signals.ts";
import { Rescuer } from "./rescue/rescuer.ts";
import { type FinishQueue, notifyReplies, openFinishQueue } from "./results/finish-queue.ts";
import { type KeyQueue, openKeyQueue } from "./results/key-queue.ts";
import { WakeSignal } from "./results/wake-signal.ts";
import { SubscriptionHealth } from "./send/subscription-health.ts";
import { dropPointless } from "./slow/drop-pointless.ts";
import { SlowActions } from "./slow/slow-actions.ts";
import { StepLedger } from "./steps/step-ledger.ts";
import { defaultLimits, type WorkerLimits } from "./worker-limits.ts";
import { WorkerSession } from "./worker-session.ts";

type WorkerOptions = Pick<
  StartOptions,
  "db" | "client" | "brokers" | "portalClient" | "version"
> & {
  /** The database's URL, for the connection that represents the worker's life. */
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  readonly limits?: Partial<WorkerLimits>;
  /** The socket for catch processes of this machine, to hand runs over. Undefined: it only claims. */
  readonly handOffSocket?: string | undefined;
} & Partial<Pick<ArrivalsOptions, "startJournal">>;

/**
 * Claims due runs, makes their calls, and records the results. All state is in the database: a
 * worker that dies loses nothing, and one whose database is unavailable keeps its results and
 * waits.
 */
export class RunWorker {
  readonly #db: SqlDatabase;
  readonly #limits: WorkerLimits;
  readonly #inFlight: InFlightRuns;
  readonly #actionLimits: ActionLimits;
  readonly #finishes: FinishQueue;
  readonly #steps: StepLedger;
  readonly #keys: KeyQueue;
  readonly #health: SubscriptionHealth;
  readonly #slowActions: SlowActions;
  readonly #rescuer: Rescuer;
  readonly #claimer: Claimer;
  readonly #arrivals: Arrivals | undefined;
  readonly #wake = new WakeSignal();
  readonly #threads = new ThreadPool<WorkTasks>({
    script: new URL("worker-thread.ts", import.meta.url),
  });
  readonly #checkThreads = new CheckThreads();
  readonly #start: StartOptions;
  readonly #stopping = new AbortController();
  readonly #callsAbort = new AbortController();
  readonly #session: WorkerSession;
  readonly #registered = Promise.withResolvers<void>();
  readonly #claiming: Promise<void>;
  readonly #loops: Promise<void>[];

  constructor(options: WorkerOptions) {
    this.#db = options.db;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#inFlight = new InFlightRuns(this.#limits);
    this.#actionLimits = new ActionLimits(this.#limits.actionCap);
    this.#finishes = openFinishQueue(this.#db, this.#inFlight, (...of) => this.#onFinished(...of));
    this.#steps = new StepLedger(options.db);
    this.#keys = openKeyQueue(options.db, (batch) => {
      this.#removeAll(batch);
      this.#wake.notify();
    });
    this.#health = new SubscriptionHealth(options.db);
    this.#slowActions = new SlowActions(options.db);
    this.#rescuer = new Rescuer(options.db, this.#limits.actionCap);
    this.#start = {
      db: options.db,
      client: options.client,
      brokers: options.brokers,
      portalClient: options.portalClient,
      credentialCalls: new CredentialCalls(options.client),
      portalCredentialCalls: new CredentialCalls(options.portalClient),
      configs: openActionConfigs(options.sealer),
      sendConfigs: openSendConfigs(options.sealer),
      findVersions: shareReads((accountId, type) => listTypeVersions(options.db, accountId, type)),
      threads: this.#threads,
      checkEvents: new EventCatalog({
        db: options.db,
        runChecks: this.#checkThreads.run,
        now: Date.now,
      }).check,
      ledger: this.#steps,
      version: options.version,
      stopping: this.#stopping.signal,
      signal: this.#callsAbort.signal,
      onFinished: (run) => this.#finishes.add(run),
      onCalled: (run, finished, result) => this.#onCalled(run, finished, result),
      onResults: (run, bytes) => this.#inFlight.keepResults(run, bytes),
      pointlessSignal: (run) => this.#inFlight.pointlessSignal(run),
      onKeyed: (run) => this.#keys.add(run),
      onReleased: (runs) => void this.#removeAll(runs),
    };
    this.#session = new WorkerSession({
      url: options.databaseUrl,
      keyId: options.sealer.keyId,
      onDue: () => {
        this.#arrivals?.onDue();
        this.#wake.notify();
      },
      onHookChanged: (hookId) => this.#arrivals?.onHookChanged(hookId),
      onRegistered: (workerId) => {
        void this.#renew(workerId).catch(() => {});
        this.#arrivals?.setWorker(workerId);
        this.#registered.resolve();
        this.#wake.notify();
      },
      onLost: () => {
        this.#arrivals?.setWorker(undefined);
        this.#rescuer.startOver();
      },
    });
    const { signal } = this.#callsAbort;
    const shared = {
      db: options.db,
      limits: this.#limits,
      inFlight: this.#inFlight,
      actionLimits: this.#actionLimits,
    };
    const { handOffSocket: path, startJournal } = options;
    this.#arrivals =
      path === undefined
        ? undefined
        : new Arrivals({
            ...shared,
            path,
            startJournal,
            onRuns: (runs) => this.#onArrived(runs),
            onFreed: () => this.#wake.notify(),
          });
    this.#claimer = new Claimer({
      ...shared,
      arrivals: this.#arrivals,
      wake: this.#wake,
      stopping: this.#stopping.signal,
      workerId: () => this.#session.workerId,
      onClaimed: (runs, workerId) => this.#onClaimed(runs, workerId),
    });
    this.#claiming = this.#claimer.loop();
    this.#loops = [
      every(this.#limits.renewEveryMs, signal, () => this.#renew(this.#session.workerId)),
      every(this.#limits.rescueEveryMs, signal, () =>
        dropPointless(this.#db, this.#threads, this.#inFlight),
      ),
      this.#rescueLoop(),
    ];
  }

  /** Runs in flight. */
  get size(): number {
    return this.#inFlight.size;
  }

  /** True once it is registered and can claim. */
  get isReady(): boolean {
    return this.#session.workerId !== undefined;
  }

  /**
   * Stops claiming, gives calls in flight `graceMs` to end, then cancels them. When it settles, all
   * runs are finished or back in the queue.
   */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#registered.resolve();
    this.#wake.notify();
    const timer = setTimeout(() => this.#callsAbort.abort(), graceMs);
    // With the database unavailable, results can't be written, and their leases expire.
    const lastTimer = setTimeout(() => this.#abandon(), graceMs + flushMs);
    await Promise.all([this.#claiming, this.#arrivals?.close()]);
    await this.#inFlight.whenEmpty();
    clearTimeout(timer);
    clearTimeout(lastTimer);
    this.#callsAbort.abort();
    this.#steps.close();
    this.#keys.close();
    this.#finishes.close();
    await Promise.all(this.#loops);
    const threads = [this.#threads.close(), this.#checkThreads.close()];
    await Promise.all([this.#session.close(), ...threads]);
  }

  /** @param workerId the worker that claimed */
  #onClaimed(runs: readonly ClaimedRun[], workerId: number): void {
    // It registered again meanwhile, and its runs were moved to the new id before these arrived.
    const { workerId: idNow } = this.#session;
    if (idNow !== workerId) void this.#renew(idNow).catch(() => {});
    void startRuns(runs, this.#start);
  }

  #onArrived(runs: readonly ClaimedRun[]): void {
    const arrivedAt = performance.now();
    for (const run of runs) this.#inFlight.add(run, arrivedAt);
    void startRuns(runs, this.#start);
  }

  #onCalled(run: ClaimedRun, { next }: FinishedRun, result: CallResult): void {
    const isSend = run.kind === "send";
    this.#actionLimits.learn(run.targetId, result, isSend ? "halve" : "step");
    this.#arrivals?.onCalled(run);
    if (isSend) this.#health.record(run, next, result, performance.now());
  }

  /** @returns true if others may have their slots: a claim has to look */
  #removeAll(runs: readonly Lease[]): boolean {
    const removed = runs.flatMap((run) => this.#inFlight.remove(run) ?? []);
    this.#arrivals?.changed(removed);
    return this.#claimer.hasMore || removed.some((run) => !isHandedOver(run));
  }

  #onFinished(batch: readonly FinishedRun[], late: ReadonlySet<string>): void {
    const mayClaim = this.#removeAll(batch);
    for (const run of batch) {
      void this.#slowActions.record(run);
      if (late.has(run.id)) log.warn("run.late", { runId: run.id });
    }
    reportFinished(batch, late);
    notifyReplies(this.#db, batch, late);
    if (mayClaim) this.#wake.notify();
    const delays = batch.flatMap(({ next }) => ("delayMs" in next ? [next.delayMs] : []));
    const soonestMs = Math.min(...delays);
    if (soonestMs < this.#limits.pollMs)
      setTimeout(() => this.#wake.notify(), soonestMs + 1).unref();
  }

  async #renew(workerId: number | undefined): Promise<void> {
    if (workerId === undefined) return;
    const { leaseMs } = this.#limits;
    await renewLeases(this.#db, { leases: this.#inFlight.list(), leaseMs, workerId });
  }

  async #rescueLoop(): Promise<void> {
    const startOver = () => this.#rescuer.startOver();
    // The runs of a process that was killed need not wait for a second round.
    await this.#registered.promise;
    await this.#rescue().catch(startOver);
    await every(this.#limits.rescueEveryMs, this.#stopping.signal, () => this.#rescue(), startOver);
  }

  async #rescue(): Promise<void> {
    // Until they are moved to a new registration, its own runs look lost.
    if (this.#session.workerId === undefined) return;
    this.#claimer.hasControl = await hasControl(this.#db);
    const claiming = this.#claimer.leaseId ?? [];
    await this.#releaseUnanswered();
    this.#arrivals?.setWorkers(await countWorkers(this.#db));
    await this.#arrivals?.freeLost();
    const rescued = await this.#rescuer.round({
      ownLeaseIds: this.#inFlight.leaseIds().concat(claiming),
      ownRunIds: [...this.#inFlight.handedOverIds(), ...(this.#arrivals?.runIds ?? [])],
    });
    if (rescued.length > 0) this.#wake.notify();
  }

  /** If it fails, the leases expire, and their runs are rescued. */
  async #releaseUnanswered(): Promise<void> {
    const leaseIds = this.#claimer.takeUnanswered();
    if (leaseIds.length === 0) return;
    if ((await releaseLeases(this.#db, leaseIds).catch(() => 0)) > 0) this.#wake.notify();
  }

  #abandon(): void {
    this.#steps.close();
    this.#keys.close();
    this.#finishes.close();
    this.#removeAll(this.#inFlight.list());
  }
}

/** The time that results have to reach the database after the last call has ended. */
const flushMs = 3_000;
