import type { IncomingMessage, ServerResponse } from "node:http";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { listen } from "#lib/db/postgres/listen.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { hookChangedChannel } from "#lib/db/queue/notify.ts";
import { repliesChannel } from "#lib/db/replies/notify-replies.ts";
import type { CheckEvents } from "#lib/evaluate/check-published.ts";
import { LargeReader } from "#lib/evaluate/read-large.ts";
import { HandOff } from "#lib/hand-off/hand-off.ts";
import { commitItems, GroupCommit, type GroupCommitLimits } from "#lib/ingress/group-commit.ts";
import { InFlight } from "#lib/ingress/in-flight.ts";
import { RateLimits } from "#lib/ingress/rate-limits.ts";
import { BodyReader, bodyPace } from "#lib/ingress/read-body.ts";
import { rejectUnavailable } from "#lib/ingress/rejection.ts";
import type { OpenSpool } from "#lib/spool/open-spool.ts";
import type { SpoolingStore } from "#lib/spool/spooling-store.ts";
import { addReply } from "./add-reply.ts";
import type { Caught } from "./catch-result.ts";
import { CatchService } from "./catch-service.ts";
import { CatchSpool } from "./catch-spool.ts";
import { deliveriesStored, requestCaught } from "./caught-signal.ts";
import { createHooks } from "./create-hooks.ts";
import { flushCounts, keepListening } from "./keep-records.ts";
import { logCaught } from "./log-caught.ts";
import { RejectionBudget } from "./rejection-budget.ts";
import { ProviderReplies } from "./reply/provider-replies.ts";
import type { WaitLimits } from "./reply/reply-waits.ts";
import type { HandshakeEffects } from "./respond-to-handshake.ts";
import { SlowBatches, type Store } from "./slow-batches.ts";
import { isItemFault, storeAndHandOver } from "./store-and-hand-over.ts";
import { writeResponse } from "./write-response.ts";

export type CatchOptions = {
  readonly db: SqlDatabase;
  /** URL of the same database, for a separate connection that listens for hook changes. */
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  /** The keys of providers that publish them. */
  readonly signingKeys: SigningKeys;
  /** Side effects of handshakes. */
  readonly handshakes: HandshakeEffects;
  /** Checks events, for hooks that publish. */
  readonly checkEvents: CheckEvents;
  readonly publicUrl: string;
  readonly maxBodyBytes: number;
  /** The maximum stored size of a rejected body. */
  readonly rejectedBodyBytes: number;
  /** A hook's daily limit of rejected requests with bodies, and again of those without. */
  readonly rejectedBytesPerDay: number;
  readonly trustedProxies: AllowList;
  /** Requests per second from one hook and from one client address; 0: no limit. */
  readonly hookRatePerSecond: number;
  readonly clientRatePerSecond: number;
  /**
   * The number of processes that catch together. Each allows its share of every rate. Default: 1.
   */
  readonly processes?: number;
  /** The socket of a worker of this machine, to hand runs over. Undefined: workers claim all. */
  readonly handOffSocket?: string | undefined;
  /** True while the database's disk is nearly full. Deliveries are then rejected. */
  readonly isStorageLow?: () => boolean;
  /** Why the clock can't be trusted, in a sentence. Deliveries are then rejected. */
  readonly findClockFault?: (() => string | null) | undefined;
  /** Limits of requests that wait for the reply of an action. */
  readonly replyLimits?: Partial<WaitLimits>;
  /** Where deliveries wait while the database is away. Omitted: they get a 503. */
  readonly spool?: OpenSpool | undefined;
  /** Overrides the group commit limits, which depend on `maxBodyBytes`. */
  readonly limits?: Partial<GroupCommitLimits>;
};

export type RunningCatch = {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Finishes requests in flight, stores waiting deliveries, and closes everything. New requests get
   * a 503.
   */
  stop(): Promise<void>;
  /** Undefined: there is no spool. */
  readonly spool: SpoolingStore | undefined;
};

const mebibyte = 1024 * 1024;

/** Assembles the catch path. */
export function startCatch(options: CatchOptions): RunningCatch {
  const { db, maxBodyBytes, processes = 1, handOffSocket } = options;
  const now = Date.now;
  const handOff = handOffSocket === undefined ? undefined : new HandOff(handOffSocket);
  const store = createStore(options, handOff);
  const spool = openSpool(options, store, now);
  const hooks = createHooks(options, now, spool);
  const bodies = new BodyReader(
    {
      maxBytes: maxBodyBytes,
      maxHeldBytes: Math.max((256 * mebibyte) / processes, 4 * maxBodyBytes),
      ...bodyPace,
    },
    now,
  );
  const slow = new SlowBatches(options.databaseUrl, (own) => createStore({ db: own }, undefined));
  const direct = slow.after(store);
  const commits = createCommits(
    options,
    spool === undefined ? direct : (items) => spool.store.store(items),
    now,
  );
  const rejections = new RejectionBudget(
    {
      perMinute: Math.ceil(60 / processes),
      maxBodyBytes: options.rejectedBodyBytes,
      bytesPerDay: options.rejectedBytesPerDay / processes,
    },
    now,
  );
  const large = new LargeReader();
  const replies = new ProviderReplies(db, options.replyLimits);
  const service = new CatchService({
    hooks,
    bodies,
    commits,
    rejections,
    signingKeys: options.signingKeys,
    handshakes: options.handshakes,
    readLarge: large.read,
    checkEvents: options.checkEvents,
    misses: new RateLimiter({ ratePerSecond: 20, burst: 100, processes, now }),
    rates: new RateLimits({
      hookPerSecond: options.hookRatePerSecond,
      clientPerSecond: options.clientRatePerSecond,
      processes,
      now,
    }),
    trustedProxies: options.trustedProxies,
    publicOrigin: options.publicUrl,
    maxBodyBytes,
    // Every request gets its response within 5 s. The sweep below adds up to 250 ms.
    maxStorageMs: 4_000,
    now,
  });
  const loadHook = hooks.load.bind(hooks);
  const listener = listen({
    url: options.databaseUrl,
    applicationName: `catchment-catch-listen ${options.sealer.keyId}`,
    channels: [hookChangedChannel, repliesChannel],
    onNotification: (channel, payload) => {
      if (channel === repliesChannel) return replies.notify(payload);
      hooks.forget(payload);
      spool?.hookChanged(payload, loadHook);
    },
    onConnected: () => {
      hooks.setListening(true);
      void spool?.checkHooks(loadHook);
    },
    onLost: () => hooks.setListening(false),
  });
  const sweep = setInterval(() => {
    bodies.sweep();
    commits.expire();
  }, 250);
  const flush = setInterval(() => void flushCounts(db, rejections), 5_000);
  // Twice a minute, because timers are late.
  const listening = setInterval(() => void keepListening(db), 30_000);
  void keepListening(db);
  const inFlight = new InFlight();

  function rejectAll(): Caught | null {
    if (inFlight.isClosed) return shuttingDown;
    if (options.isStorageLow?.() === true) return diskLow;
    const fault = options.findClockFault?.() ?? null;
    return fault === null ? null : rejectWithClock(fault);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    inFlight.begin();
    try {
      const startedAt = performance.now();
      let caught = rejectAll() ?? (await service.handle(request));
      const storedMs = performance.now() - startedAt;
      if ("replying" in caught.result)
        caught = await addReply(caught, { replies, response, startedAt });
      // An open connection would delay shutdown.
      if (inFlight.isClosed) response.setHeader("connection", "close");
      const status = writeResponse(request, response, caught);
      const durationMs = performance.now() - startedAt;
      logCaught(caught, status, durationMs);
      if (requestCaught.isHeard)
        requestCaught.send({ request, caught, status, storedMs, durationMs });
    } catch (error) {
      fail(response, error);
    } finally {
      inFlight.end();
    }
  }

  async function stop(): Promise<void> {
    replies.close();
    await inFlight.close(10_000);
    await commits.drained();
    handOff?.close();
    await replies.flush();
    clearInterval(sweep);
    clearInterval(flush);
    clearInterval(listening);
    await flushCounts(db, rejections);
    await Promise.all([listener.close(), large.close()]);
    await spool?.stop();
    await slow.close();
  }

  return {
    handle: (request, response) => void handle(request, response),
    stop,
    spool: spool?.store,
  };
}

const shuttingDown: Caught = {
  hookId: null,
  result: rejectUnavailable("The server is shutting down. Send it again.", { closes: true }),
};

const diskLow: Caught = {
  hookId: null,
  result: rejectUnavailable(
    "The server's disk is nearly full, so it can't store deliveries. Send it again later.",
    {
      closes: true,
    },
  ),
};

function rejectWithClock(fault: string): Caught {
  const detail = `${fault} Send it again later.`;
  const result = rejectUnavailable(detail, { retryAfterSeconds: 60, closes: true });
  return { hookId: null, result };
}

function openSpool(
  { db, databaseUrl, sealer, spool }: CatchOptions,
  store: Store,
  now: () => number,
): CatchSpool | undefined {
  if (spool === undefined) return undefined;
  const storeIn = (own: SqlDatabase) => createStore({ db: own }, undefined);
  return new CatchSpool(spool, { db, databaseUrl, sealer, now, isItemFault, store, storeIn });
}

function createStore({ db }: Pick<CatchOptions, "db">, handOff: HandOff | undefined): Store {
  return async (items) => {
    const stored = await storeAndHandOver(db, items, handOff);
    if (deliveriesStored.isHeard)
      deliveriesStored.send({
        deliveries: items.filter((item, index) => mayRun(item, stored[index])),
      });
    return stored;
  };
}

function createCommits({ maxBodyBytes, limits }: CatchOptions, store: Store, now: () => number) {
  return new GroupCommit<NewDelivery, StoredDelivery>({
    store,
    bytesOf: (delivery) =>
      sizeOf(delivery) + (delivery.events?.reduce((sum, event) => sum + sizeOf(event), 0) ?? 0),
    rowsOf: ({ events }) => 1 + (events?.length ?? 0),
    groupKeyOf: ({ hookId }) => hookId,
    isItemFault,
    limits: {
      ...commitItems,
      maxBatchBytes: Math.max(8 * mebibyte, maxBodyBytes),
      maxWaitingBytes: Math.max(128 * mebibyte, 2 * maxBodyBytes),
      ...limits,
    },
    now,
  });
}

function sizeOf({ body, headersJson, published }: NewDelivery): number {
  return body.byteLength + headersJson.length + (published?.body.length ?? 0) + 500;
}

/** True if it may have created runs. */
function mayRun({ status }: NewDelivery, stored: StoredDelivery | undefined): boolean {
  if (stored?.events !== undefined)
    return stored.events.some(({ duplicateOf }) => duplicateOf === null);
  return status === "accepted" && stored?.duplicateOf === null;
}

/** Responds to an unexpected error with 503, so that the provider retries. */
function fail(response: ServerResponse, error: unknown): void {
  log.error("catch.failed", { error: toError(error) });
  if (!response.headersSent) response.writeHead(503, { "retry-after": "5", connection: "close" });
  response.end();
}
