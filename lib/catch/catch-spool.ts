import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { CatchUrl } from "#lib/db/hooks/catch-hook.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { recordSpoolReport } from "#lib/db/spool/spool-reports.ts";
import { findStoredIds, recordResponseTimes } from "#lib/db/spool/spooled-deliveries.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { SpoolDatabase } from "#lib/spool/drain-batches.ts";
import type { OpenSpool } from "#lib/spool/open-spool.ts";
import { SpoolReporter } from "#lib/spool/spool-reporter.ts";
import { SpoolingStore } from "#lib/spool/spooling-store.ts";
import { HookFallback } from "./hook-fallback.ts";

type Parts = Pick<SpoolDatabase, "store" | "isItemFault"> & {
  readonly db: SqlDatabase;
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

  constructor({ spool, hooks }: OpenSpool, { db, sealer, now, ...parts }: Parts) {
    this.#kept = hooks;
    this.store = new SpoolingStore(spool, {
      ...parts,
      findStored: (ids) => findStoredIds(db, ids),
      recordResponseTimes: (responses) => recordResponseTimes(db, responses),
    });
    this.#reporter = new SpoolReporter(spool, (report) => recordSpoolReport(db, report));
    const isAway = () => this.store.isAway;
    this.fallback = new HookFallback({ kept: hooks, sealer, now, isAway });
  }

  /** Keeps what the database has told about hooks. */
  record: OpenSpool["hooks"]["record"] = (urls, rows) => this.#kept.record(urls, rows);

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

  async stop(): Promise<void> {
    await this.store.stop();
    await this.#reporter.stop();
    await this.#kept.close();
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
