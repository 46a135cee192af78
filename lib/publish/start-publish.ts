import type { IncomingMessage, ServerResponse } from "node:http";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { isTooManySends, maxStatementSends } from "#lib/db/events/enqueue-sends.ts";
import { type StoredEvent, storeEvents } from "#lib/db/events/store-events.ts";
import { listen } from "#lib/db/postgres/listen.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDataError, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import type { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { commitItems, GroupCommit, type GroupCommitLimits } from "#lib/ingress/group-commit.ts";
import { InFlight } from "#lib/ingress/in-flight.ts";
import { RateLimits } from "#lib/ingress/rate-limits.ts";
import { BodyReader, bodyPace } from "#lib/ingress/read-body.ts";
import { rejectUnavailable } from "#lib/ingress/rejection.ts";
import { eventLimits } from "#lib/schema/send/event.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { PublishItem } from "./commit-events.ts";
import { EventReader } from "./event-reader.ts";
import { toProblemResponse, writeApiResponse } from "./publish-response.ts";
import { type Published, PublishService } from "./publish-service.ts";
import { findPublishTarget, type PublishTarget } from "./publish-target.ts";
import type { PublishTasks } from "./publish-tasks.ts";
import { requestPublished } from "./published-signal.ts";
import { TokenFinder } from "./token-finder.ts";

export type PublishOptions = {
  readonly db: SqlDatabase;
  /** URL of the same database, for a separate connection that listens for changes. */
  readonly databaseUrl: string;
  /** The catalog, which is notified here when schemas change. */
  readonly catalog: EventCatalog;
  readonly trustedProxies: AllowList;
  /** Requests per second of one account and from one client address; 0: no limit. */
  readonly accountRatePerSecond: number;
  readonly clientRatePerSecond: number;
  /**
   * The number of processes that publish together. Each allows its share of every rate. Default: 1.
   */
  readonly processes?: number;
  /** True while the database's disk is nearly full. Events are then rejected. */
  readonly isStorageLow?: () => boolean;
  /** Why the clock can't be trusted, in a sentence. Events are then rejected. */
  readonly findClockFault?: (() => string | null) | undefined;
  readonly limits?: Partial<GroupCommitLimits>;
};

type RunningPublish = {
  /** Handles a request. False: it doesn't publish, and wasn't touched. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Finishes requests in flight, stores waiting events, and closes everything. */
  stop(): Promise<void>;
};

const mebibyte = 1024 * 1024;

/** Assembles the publish path: the same limits and guarantees as the catch path. */
export function startPublish(options: PublishOptions): RunningPublish {
  const { db, databaseUrl, catalog, processes = 1 } = options;
  const now = Date.now;
  const misses = new RateLimiter({ ratePerSecond: 20, burst: 100, processes, now });
  const tokens = new TokenFinder({ db, misses, now });
  const createReader = (maxBytes: number) =>
    new BodyReader(
      {
        maxBytes,
        maxHeldBytes: Math.max((128 * mebibyte) / processes, 4 * maxBytes),
        ...bodyPace,
      },
      now,
    );
  const bodies = {
    event: createReader(eventLimits.bytes),
    batch: createReader(eventLimits.batchBytes),
  };
  const commits = createCommits(options, now);
  const script = new URL("publish-thread.ts", import.meta.url);
  const readers = new ThreadPool<PublishTasks>({ script });
  const reader = new EventReader(readers);
  const service = new PublishService({
    tokens,
    bodies,
    commits,
    rates: new RateLimits({
      hookPerSecond: options.accountRatePerSecond,
      clientPerSecond: options.clientRatePerSecond,
      processes,
      now,
    }),
    readEvents: reader.read,
    catalog,
    trustedProxies: options.trustedProxies,
    // Every request gets its response within 5 s. The sweep below adds up to 250 ms.
    maxStorageMs: 4_000,
    now,
  });
  const caches = [tokens, catalog];
  const setListening = (isListening: boolean) => {
    for (const cache of caches) cache.setListening(isListening);
  };
  const listener = listen({
    url: databaseUrl,
    applicationName: "catchment-publish-listen",
    channels: ["publishing_changed"],
    onNotification: (_channel, accountId) => {
      for (const cache of caches) cache.forget(accountId);
    },
    onConnected: () => setListening(true),
    onLost: () => setListening(false),
  });
  const sweep = setInterval(() => {
    bodies.event.sweep();
    bodies.batch.sweep();
    commits.expire();
  }, 250);
  const inFlight = new InFlight();

  function rejectAll(): Published | null {
    if (inFlight.isClosed) return shuttingDown;
    if (options.isStorageLow?.() === true) return diskLow;
    const fault = options.findClockFault?.() ?? null;
    return fault === null ? null : rejected(`${fault} Publish again later.`, 60);
  }

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const target = findPublishTarget(request);
    if (target === null) return false;
    void respond(request, response, target);
    return true;
  }

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    target: PublishTarget,
  ): Promise<void> {
    inFlight.begin();
    try {
      const startedAt = performance.now();
      const published = rejectAll() ?? (await service.handle(request, target));
      // An open connection would delay shutdown.
      if (inFlight.isClosed) response.setHeader("connection", "close");
      writeApiResponse(request, response, published.response);
      const durationMs = performance.now() - startedAt;
      logPublished(published, durationMs);
      if (requestPublished.isHeard) requestPublished.send({ request, published, durationMs });
    } catch (error) {
      log.error("publish.failed", { error: toError(error) });
      if (!response.headersSent) response.writeHead(503, { "retry-after": "5" });
      response.end();
    } finally {
      inFlight.end();
    }
  }

  async function stop(): Promise<void> {
    await inFlight.close(10_000);
    await commits.drained();
    clearInterval(sweep);
    await Promise.all([listener.close(), readers.close()]);
  }

  return { handle, stop };
}

const shuttingDown = rejected("The server is shutting down. Publish again.");
const diskLow = rejected(
  "The server's disk is nearly full, so it can't store events. Publish again later.",
);

function rejected(detail: string, retryAfterSeconds = 5): Published {
  return {
    response: toProblemResponse(rejectUnavailable(detail, { retryAfterSeconds })),
    accountId: null,
    events: 0,
    eventIds: [],
  };
}

function createCommits({ db, limits }: PublishOptions, now: () => number) {
  return new GroupCommit<PublishItem, readonly StoredEvent[]>({
    store: async (items) => {
      const all = items.flatMap(({ events }) => events);
      const stored = await storeEvents(db, all, all.length > 1 ? maxStatementSends : null);
      if (stored.some((event) => event.outcome === "stored" && event.runs > 0)) notifyRunsDue(db);
      let from = 0;
      return items.map(({ events }) => {
        from += events.length;
        return stored.slice(from - events.length, from);
      });
    },
    bytesOf: ({ events }) => events.reduce((sum, { body }) => sum + body.length + 300, 0),
    rowsOf: ({ events }) => events.length,
    groupKeyOf: ({ accountId }) => accountId,
    isItemFault: (error) => isDataError(error) || isTooManySends(error),
    limits: {
      ...commitItems,
      maxBatchBytes: eventLimits.batchBytes,
      maxWaitingBytes: 128 * mebibyte,
      ...limits,
    },
    now,
  });
}

/**
 * Logs one line per request. For rejected requests, logs one line per second, status, and account.
 */
function logPublished({ response, accountId, events, cause }: Published, durationMs: number): void {
  const { status } = response;
  if (status < 400) {
    const roundedMs = Math.round(durationMs * 10) / 10;
    log.info("events.published", { status, accountId, events, durationMs: roundedMs });
    return;
  }
  const fields = { status, accountId };
  const sqlState = cause === undefined ? undefined : sqlStateOf(cause);
  if (status < 500) logCounted("info", "events.published", fields, { durationMs });
  else logCounted("error", "events.published", { ...fields, sqlState }, { durationMs });
}
