import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { hasOrdered } from "#lib/db/events/match-subscriptions.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isCanceled } from "#lib/db/postgres/sql-state.ts";
import { slowConnection } from "./catch-spool.ts";

export type Store = (items: readonly NewDelivery[]) => Promise<readonly StoredDelivery[]>;

/**
 * Stores a batch of events that takes longer than a response may take, such as thousands of events for
 * a hundred subscriptions, while its provider gets a 503. The provider sends it again, and once it is
 * stored, all its events are duplicates. Events without a key would be stored again and again, and
 * an ordered subscription would hold up whatever else is published to it, so such a batch is left to
 * its provider.
 */
export class SlowBatches {
  readonly #db: SqlDatabase;
  readonly #store: Store;
  /** One at a time. The provider of another one sends it again. */
  #storing: Promise<void> | undefined;

  /** @param storeIn stores with these connections */
  constructor(url: string, storeIn: (db: SqlDatabase) => Store) {
    // Without a batch that needs it, it opens no connection.
    this.#db = createSqlDatabase({ ...slowConnection, url });
    this.#store = storeIn(this.#db);
  }

  /** Stores with `store`, which rejects what takes too long. */
  after(store: Store): Store {
    return async (items) => {
      try {
        return await store(items);
      } catch (error) {
        const [only] = items;
        const isSlow = isCanceled(error) && items.length === 1;
        if (isSlow && only !== undefined && isKeyed(only)) this.#begin(only);
        throw error;
      }
    };
  }

  /** Waits a little. The database stores all of a batch that takes longer, or nothing. */
  async close(): Promise<void> {
    if (this.#storing !== undefined)
      await withTimeLimit(this.#storing, maxCloseMs, () => undefined);
    void this.#db.$disconnect().catch(() => {});
  }

  #begin(batch: NewDelivery): void {
    if (this.#storing !== undefined) return;
    this.#storing = this.#storeSlowly(batch).finally(() => {
      this.#storing = undefined;
    });
  }

  async #storeSlowly(batch: NewDelivery): Promise<void> {
    const { id: deliveryId, hookId, accountId, events = [] } = batch;
    const fields = { deliveryId, hookId, accountId, events: events.length };
    const startedAt = performance.now();
    try {
      if (events.some(isPublished) && (await hasOrdered(this.#db, accountId))) return;
      await this.#store([batch]);
      const durationMs = Math.round(performance.now() - startedAt);
      log.warn("batch.stored_slowly", { ...fields, durationMs });
    } catch (error) {
      log.error("batch.not_stored", { ...fields, error: toError(error) });
    }
  }
}

function isPublished({ published }: NewDelivery): boolean {
  return published !== undefined;
}

const maxCloseMs = 10_000;

/** True for a batch whose events are duplicates if it is stored twice. */
function isKeyed({ events }: NewDelivery): boolean {
  return events?.every(({ keyHash, replayHash }) => (keyHash ?? replayHash) !== null) === true;
}
