import type { IncomingMessage, ServerResponse } from "node:http";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { findCatchHook } from "#lib/db/catch-hook.ts";
import type { Database } from "#lib/db/client.ts";
import { isDataError } from "#lib/db/is-data-error.ts";
import { listen } from "#lib/db/listen.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { addRejectedCounts } from "#lib/db/rejected-counts.ts";
import { type NewDelivery, type StoredDelivery, storeDeliveries } from "#lib/db/store-deliveries.ts";
import { errorTable } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { toCatchHook } from "./catch-hook.ts";
import { type CatchResult, refuseUnavailable } from "./catch-result.ts";
import { CatchService } from "./catch-service.ts";
import { GroupCommit } from "./group-commit.ts";
import { HookCache } from "./hook-cache.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { BodyReader } from "./read-body.ts";
import { RejectionBudget } from "./rejection-budget.ts";
import { writeAnswer, writeRefusal } from "./write-answer.ts";

export type CatchOptions = {
  readonly db: Database;
  /** Of the same database: changes of hooks are listened for on a connection of its own. */
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  readonly publicUrl: string;
  readonly maxBodyBytes: number;
  readonly trustedProxies: AllowList;
  /** Deliveries a second that one hook may get; 0: no limit. */
  readonly hookRatePerSecond: number;
};

export type RunningCatch = {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what has been read, stores what waits, and closes what it opened. New requests get a 503. */
  stop(): Promise<void>;
};

const mebibyte = 1024 * 1024;

/** Puts the catch path together: the only place that knows all of its parts. */
export function startCatch(options: CatchOptions): RunningCatch {
  const { db, sealer } = options;
  const now = Date.now;
  const hooks = new HookCache({
    now,
    load: async (accountSlug, hookKey) => {
      const row = await findCatchHook(db, accountSlug, hookKey);
      return row === null ? null : toCatchHook(row, sealer, now());
    },
  });
  const bodies = new BodyReader(
    { maxBytes: options.maxBodyBytes, stallMs: 10_000, minBytesPerSecond: 1_024 },
    now,
  );
  const commits = createCommits(options, now);
  const rejections = new RejectionBudget({ perMinute: 60, now });
  const service = new CatchService({
    hooks,
    bodies,
    commits,
    rejections,
    misses: new RateLimiter({ ratePerSecond: 20, burst: 100, now }),
    hookRate: new RateLimiter({
      ratePerSecond: options.hookRatePerSecond,
      burst: options.hookRatePerSecond * 2,
      now,
    }),
    trustedProxies: options.trustedProxies,
    publicOrigin: options.publicUrl,
    maxBodyBytes: options.maxBodyBytes,
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
  }, 500);
  const flush = setInterval(() => void flushCounts(db, rejections), 5_000);
  let isStopping = false;
  let underWay = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isStopping) {
      writeRefusal(request, response, {
        ...refuseUnavailable("The server is shutting down. Send it again."),
        closes: true,
      });
      return;
    }
    underWay += 1;
    const startedAt = performance.now();
    const result = await service.handle(request);
    const status = writeAnswer(request, response, result);
    underWay -= 1;
    logCaught(request, result, status, performance.now() - startedAt);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const deadline = now() + 10_000;
    while (underWay > 0 && now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    await commits.drained();
    clearInterval(sweep);
    clearInterval(flush);
    await flushCounts(db, rejections);
    await listener.close();
  }

  return {
    handle: (request, response) => void handle(request, response).catch((error) => fail(response, error)),
    stop,
  };
}

function createCommits({ db, maxBodyBytes }: CatchOptions, now: () => number) {
  return new GroupCommit<NewDelivery, StoredDelivery>({
    store: async (items) => {
      const stored = await storeDeliveries(db, items);
      if (stored.some(({ status }) => status === "accepted")) notifyRunsDue(db);
      return inOrder(items, stored);
    },
    bytesOf: ({ body, headersJson }) => body.byteLength + headersJson.length + 500,
    laneOf: ({ hookId }) => hookId,
    isItemFault: isDataError,
    limits: {
      maxInFlight: 2,
      maxBatchItems: 500,
      maxBatchBytes: Math.max(8 * mebibyte, maxBodyBytes),
      maxWaitingItems: 8_000,
      maxWaitingBytes: Math.max(128 * mebibyte, 2 * maxBodyBytes),
      maxLaneItems: 4_000,
      // The contract: whatever happens, an answer within 5 s.
      maxWaitMs: 4_000,
    },
    now,
  });
}

/** The statement answers in no particular order, and mostly in the order given. */
function inOrder(
  items: readonly NewDelivery[],
  stored: readonly StoredDelivery[],
): readonly StoredDelivery[] {
  if (items.every(({ id }, index) => stored[index]?.id === id)) return stored;
  const byId = new Map(stored.map((row) => [row.id, row]));
  return items.flatMap(({ id }) => byId.get(id) ?? []);
}

async function flushCounts(db: Database, rejections: RejectionBudget): Promise<void> {
  const counts = rejections.drainCounts();
  if (counts.length === 0) return;
  try {
    await addRejectedCounts(db, counts);
  } catch (error) {
    rejections.restoreCounts(counts);
    log.warn("rejections.not_counted", { error: error instanceof Error ? error : String(error) });
  }
}

function logCaught(request: IncomingMessage, result: CatchResult, status: number, durationMs: number): void {
  const duration = Math.round(durationMs * 10) / 10;
  if (result.outcome !== "refused") {
    log.info("delivery.caught", {
      outcome: result.outcome,
      deliveryId: result.deliveryId,
      status,
      durationMs: duration,
    });
    return;
  }
  const { code, cause } = result;
  const fields = {
    outcome: "refused",
    code,
    status,
    durationMs: duration,
    path: (request.url ?? "").slice(0, 200),
  };
  if (errorTable[code].status < 500) log.info("delivery.caught", fields);
  else log.error("delivery.caught", { ...fields, error: cause instanceof Error ? cause : undefined });
}

/** A surprise: still a 503, because the sender has to come back. */
function fail(response: ServerResponse, error: unknown): void {
  log.error("catch.failed", { error: error instanceof Error ? error : String(error) });
  if (!response.headersSent) response.writeHead(503, { "retry-after": "5", connection: "close" });
  response.end();
}
