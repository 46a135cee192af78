import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { CatchUrl } from "#lib/db/hooks/catch-hook.ts";
import { storingPlans } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isCanceled } from "#lib/db/postgres/sql-state.ts";
import { type Outage, outageCountsBeyondMs, recordOutage } from "#lib/db/problems/outages.ts";
import { recordSpoolReport } from "#lib/db/spool/spool-reports.ts";
import { findStoredIds, recordResponseTimes } from "#lib/db/spool/spooled-deliveries.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import type { SpoolDatabase } from "#lib/spool/drain-batches.ts";
import type { OpenSpool } from "#lib/spool/open-spool.ts";
import { SpoolReporter } from "#lib/spool/spool-reporter.ts";
import { SpoolingStore } from "#lib/spool/spooling-store.ts";
import { HookFallback } from "./hook-fallback.ts";

type Parts = Pick<SpoolDatabase, "store" | "isItemFault"> & {
  readonly db: SqlDatabase;
  readonly databaseUrl: string;
  /** Stores with these connections. */
  readonly storeIn: (db: SqlDatabase) => SpoolDatabase["store"];
  readonly sealer: Sealer;
  readonly now: () => number;
};

/** Loads a hook from the database, which is recorded then. */
type Load = (accountSlug: string, hookKey: string) => Promise<unknown>;

/** The catch path while the database is away: deliveries wait, and hooks are remembered. */
export class CatchSpool {
  readonly store: SpoolingStore;
  readonly fallback: HookFallback;
  readonly #kept: OpenSpool["hooks"];
  readonly #reporter: SpoolReporter;
  readonly #slowDb: SqlDatabase;

  constructor({ spool, hooks }: OpenSpool, parts: Parts) {
    const { db, databaseUrl: url, sealer, now, store, storeIn, isItemFault } = parts;
    this.#kept = hooks;
    // Without a delivery that needs it, it opens no connection.
    this.#slowDb = createSqlDatabase({ ...slowConnection, url });
    const database: SpoolDatabase = {
      isItemFault,
      store: recounted(db, store),
      storeSlowly: recounted(db, storeIn(this.#slowDb)),
      findStored: (deliveries) => findStoredIds(db, deliveries),
      recordResponseTimes: (responses) => this.#recordTimes(db, responses),
    };
    this.store = new SpoolingStore(spool, database, (outage) => void notifyOutage(db, outage));
    this.#reporter = new SpoolReporter(spool, (report) => recordSpoolReport(db, report));
    const isAway = () => this.store.isAway;
    this.fallback = new HookFallback({ kept: hooks, sealer, now, isAway });
  }

  /** Keeps what the database has told about hooks. */
  record: OpenSpool["hooks"]["record"] = (urls, rows) => {
    this.#kept.record(urls, rows);
    this.fallback.told(urls);
  };

  /** A hook has changed: it is forgotten, and asked for again. */
  hookChanged(hookId: string, load: Load): void {
    this.fallback.clear();
    void reload(this.#kept.forget(hookId), load);
  }

  /** Hooks may have changed without a notification. */
  async checkHooks(load: Load): Promise<void> {
    this.fallback.clear();
    try {
      await reload(await this.#kept.list(), load);
    } catch (error) {
      log.warn("spool.hooks_not_checked", { error: toError(error) });
    }
  }

  /** Times of thousands of events may take as long as storing them. */
  async #recordTimes(
    db: SqlDatabase,
    responses: Parameters<SpoolDatabase["recordResponseTimes"]>[0],
  ): Promise<void> {
    try {
      await recordResponseTimes(db, responses);
    } catch (error) {
      if (!isCanceled(error)) throw error;
      await recordResponseTimes(this.#slowDb, responses);
    }
  }

  async stop(): Promise<void> {
    await this.store.stop();
    await this.#reporter.stop();
    await this.#kept.close();
    await this.#slowDb.$disconnect();
  }
}

/** Their hours may have been counted long before they are stored. */
function recounted(db: SqlDatabase, store: SpoolDatabase["store"]): SpoolDatabase["store"] {
  return async (deliveries) => {
    const stored = await store(deliveries);
    await recountHours(
      db,
      stored.map(({ id }) => id),
    );
    return stored;
  };
}

/**
 * For a delivery that was accepted and takes longer to store than a response may take: 60,000 runs
 * took 1.8 s, and 10,000 events for 100 actions are a million.
 */
export const slowConnection = {
  applicationName: "catchment-catch",
  settings: storingPlans,
  poolSize: 1,
  statementTimeoutMs: 120_000,
} as const;

async function notifyOutage(db: SqlDatabase, outage: Outage): Promise<void> {
  if (outage.untilMs - outage.fromMs <= outageCountsBeyondMs) return;
  try {
    await recordOutage(db, outage);
  } catch (error) {
    log.warn("spool.outage_not_recorded", { error: toError(error) });
  }
}

const maxAtOnce = 100;

/** If the database can't be asked, what is kept is checked with the next connection. */
async function reload(urls: readonly CatchUrl[], load: Load): Promise<void> {
  for (let at = 0; at < urls.length; at += maxAtOnce) {
    const some = urls.slice(at, at + maxAtOnce);
    const loads = some.map(({ accountSlug, hookKey }) => load(accountSlug, hookKey));
    const results = await Promise.allSettled(loads);
    if (results.some(({ status }) => status === "rejected")) return;
  }
}
