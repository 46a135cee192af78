import type { IncomingMessage, ServerResponse } from "node:http";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { SigningKeys } from "#lib/core/verify/signing-key.ts";
import { type CatchHookRow, findCatchHooks } from "#lib/db/catch-hook.ts";
import { isDataError } from "#lib/db/is-data-error.ts";
import { listen } from "#lib/db/listen.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { addRejectedCounts } from "#lib/db/rejected-counts.ts";
import type { SqlDatabase } from "#lib/db/sql-database.ts";
import { type NewDelivery, type StoredDelivery, storeDeliveries } from "#lib/db/store-deliveries.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { toCatchHook } from "./catch-hook.ts";
import { type Caught, refuseUnavailable } from "./catch-result.ts";
import { CatchService } from "./catch-service.ts";
import { GroupCommit, type GroupCommitLimits } from "./group-commit.ts";
import { HookCache } from "./hook-cache.ts";
import { HookLoader } from "./hook-loader.ts";
import { logCaught } from "./log-caught.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { BodyReader } from "./read-body.ts";
import { RejectionBudget } from "./rejection-budget.ts";
import type { HandshakeEffects } from "./shake-hands.ts";
import { UnderWay } from "./under-way.ts";
import { writeAnswer } from "./write-answer.ts";

export type CatchOptions = {
  readonly db: SqlDatabase;
  /** Of the same database: changes of hooks are listened for on a connection of its own. */
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  /** Of senders that publish theirs. */
  readonly signingKeys: SigningKeys;
  /** What a handshake may bring about besides its answer. */
  readonly handshakes: HandshakeEffects;
  readonly publicUrl: string;
  readonly maxBodyBytes: number;
  readonly trustedProxies: AllowList;
  /** Deliveries a second that one hook may get; 0: no limit. */
  readonly hookRatePerSecond: number;
  /** Whether the disk of the database is nearly full: then nothing is taken in. */
  readonly isStorageLow?: () => boolean;
  /** Bounds of what waits to be stored, where they should differ from what follows from `maxBodyBytes`. */
  readonly limits?: Partial<GroupCommitLimits>;
};

export type RunningCatch = {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what has been read, stores what waits, and closes what it opened. New requests get a 503. */
  stop(): Promise<void>;
};

const mebibyte = 1024 * 1024;

/** Puts the catch path together: the only place that knows all of its parts. */
export function startCatch(options: CatchOptions): RunningCatch {
  const { db, maxBodyBytes } = options;
  const now = Date.now;
  const hooks = createHooks(options, now);
  const bodies = new BodyReader(
    {
      maxBytes: maxBodyBytes,
      maxHeldBytes: Math.max(256 * mebibyte, 4 * maxBodyBytes),
      stallMs: 9_500,
      minBytesPerSecond: 1_024,
    },
    now,
  );
  const commits = createCommits(options, now);
  const rejections = new RejectionBudget({ perMinute: 60, bytesPerMinute: 4 * mebibyte }, now);
  const service = new CatchService({
    hooks,
    bodies,
    commits,
    rejections,
    signingKeys: options.signingKeys,
    handshakes: options.handshakes,
    misses: new RateLimiter({ ratePerSecond: 20, burst: 100, now }),
    hookRate: new RateLimiter({
      ratePerSecond: options.hookRatePerSecond,
      burst: options.hookRatePerSecond * 2,
      now,
    }),
    trustedProxies: options.trustedProxies,
    publicOrigin: options.publicUrl,
    maxBodyBytes,
    // The contract: whatever happens, an answer within 5 s. The sweep below adds up to 250 ms.
    maxStorageMs: 4_000,
    now,
  });
  const listener = listen({
    url: options.databaseUrl,
    applicationName: "catchment-catch-listen",
    channels: ["hook_changed"],
    onNotification: (_channel, hookId) => hooks.forget(hookId),
    onConnected: () => hooks.setHearing(true),
    onLost: () => hooks.setHearing(false),
  });
  const sweep = setInterval(() => {
    bodies.sweep();
    commits.expire();
  }, 250);
  const flush = setInterval(() => void flushCounts(db, rejections), 5_000);
  const underWay = new UnderWay();

  function refuseAll(): Caught | null {
    if (underWay.isClosed) return shuttingDown;
    return options.isStorageLow?.() === true ? diskLow : null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const caught = refuseAll() ?? (await service.handle(request));
    // A connection that stayed open would keep a server that stops waiting.
    if (underWay.isClosed) response.setHeader("connection", "close");
    const status = writeAnswer(request, response, caught.result);
    logCaught(caught, status, performance.now() - startedAt);
  }

  async function stop(): Promise<void> {
    await underWay.close(10_000);
    await commits.drained();
    clearInterval(sweep);
    clearInterval(flush);
    await flushCounts(db, rejections);
    await listener.close();
  }

  return {
    handle: (request, response) =>
      void underWay.run(() => answer(request, response)).catch((error) => fail(response, error)),
    stop,
  };
}

const shuttingDown: Caught = {
  hookId: null,
  result: refuseUnavailable("The server is shutting down. Send it again.", { closes: true }),
};

const diskLow: Caught = {
  hookId: null,
  result: refuseUnavailable(
    "The disk of this server is nearly full, so nothing more is stored. Send it again later.",
    {
      closes: true,
    },
  ),
};

function createHooks({ db, sealer }: CatchOptions, now: () => number): HookCache {
  const loader = new HookLoader<CatchHookRow>({
    find: (urls) => findCatchHooks(db, urls),
    prepare: (row) => toCatchHook(row, sealer, now()),
    timeoutMs: 2_000,
    spacingMs: 5,
    maxBatch: 500,
    maxWaiting: 5_000,
  });
  return new HookCache({ now, load: (accountSlug, hookKey) => loader.load(accountSlug, hookKey) });
}

function createCommits({ db, maxBodyBytes, limits }: CatchOptions, now: () => number) {
  return new GroupCommit<NewDelivery, StoredDelivery>({
    store: async (items) => {
      const stored = await storeDeliveries(db, items);
      if (items.some((item, index) => mayRun(item, stored[index]))) notifyRunsDue(db);
      return stored;
    },
    bytesOf: (delivery) =>
      sizeOf(delivery) + (delivery.events?.reduce((sum, event) => sum + sizeOf(event), 0) ?? 0),
    rowsOf: ({ events }) => 1 + (events?.length ?? 0),
    laneOf: ({ hookId }) => hookId,
    isItemFault: isDataError,
    limits: {
      maxInFlight: 2,
      minSecondBatchItems: 32,
      maxBatchItems: 500,
      maxBatchBytes: Math.max(8 * mebibyte, maxBodyBytes),
      maxWaitingItems: 8_000,
      maxWaitingBytes: Math.max(128 * mebibyte, 2 * maxBodyBytes),
      maxLaneItems: 4_000,
      ...limits,
    },
    now,
  });
}

function sizeOf({ body, headersJson }: NewDelivery): number {
  return body.byteLength + headersJson.length + 500;
}

/** Whether runs may have been made of it. */
function mayRun({ status }: NewDelivery, stored: StoredDelivery | undefined): boolean {
  if (stored?.events !== undefined) return stored.events.some(({ duplicateOf }) => duplicateOf === null);
  return status === "accepted" && stored?.duplicateOf === null;
}

async function flushCounts(db: SqlDatabase, rejections: RejectionBudget): Promise<void> {
  const counts = rejections.drainCounts();
  if (counts.length === 0) return;
  try {
    await addRejectedCounts(db, counts);
  } catch (error) {
    rejections.restoreCounts(counts);
    log.warn("rejections.not_counted", { error: toError(error) });
  }
}

/** A surprise: still a 503, because the sender has to come back. */
function fail(response: ServerResponse, error: unknown): void {
  log.error("catch.failed", { error: toError(error) });
  if (!response.headersSent) response.writeHead(503, { "retry-after": "5", connection: "close" });
  response.end();
}
