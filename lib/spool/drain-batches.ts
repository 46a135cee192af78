import { errorCode } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { splitRepeats } from "#lib/core/verify/dedupe/event-windows.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { isCanceled, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import type { SpooledBatch } from "./records/record.ts";
import type { Spool } from "./spool.ts";

/** The database, as draining needs it. `storeDeliveries` decides what is a duplicate. */
export type SpoolDatabase = {
  readonly store: (deliveries: readonly NewDelivery[]) => Promise<readonly StoredDelivery[]>;
  /** The same with more time, for one that a statement can't store in the usual time. */
  readonly storeSlowly?: SpoolDatabase["store"];
  readonly findStored: (deliveries: readonly NewDelivery[]) => Promise<ReadonlySet<string>>;
  readonly recordResponseTimes: (
    responses: readonly { readonly id: string; readonly ms: number }[],
  ) => Promise<void>;
  /** True if a delivery itself is the reason, so that it will never be stored. */
  readonly isItemFault: (error: unknown) => boolean;
};

type Aside = Pick<Spool, "setAside" | "isToSetAside">;

/**
 * Stores batches of the spool, in order. A batch that is already stored stays as it is: its first
 * statement was only late, or a crash came between its commit and its removal. A delivery that can
 * never be stored is set aside. One that takes long, such as a batch of thousands of events, gets
 * more time. If even that isn't enough, it holds up the others until the operator asks to set it
 * aside. Rejects then, and if the database is away.
 *
 * @returns the number of deliveries that were set aside
 */
export async function drainBatches(
  batches: readonly SpooledBatch[],
  spool: Aside,
  database: SpoolDatabase,
): Promise<number> {
  const deliveries = listOnce(batches);
  if (deliveries.length === 0) return 0;
  let setAside = 0;
  for (const part of splitRepeats(deliveries)) setAside += await storeParts(part, spool, database);
  await database.recordResponseTimes(batches.flatMap(toResponses));
  return setAside;
}

/** A batch whose confirmation was lost may be in a queue twice. */
function listOnce(batches: readonly SpooledBatch[]): readonly NewDelivery[] {
  const byId = new Map<string, NewDelivery>();
  for (const { deliveries } of batches)
    for (const delivery of deliveries) if (!byId.has(delivery.id)) byId.set(delivery.id, delivery);
  return [...byId.values()];
}

async function storeParts(
  deliveries: readonly NewDelivery[],
  spool: Aside,
  database: SpoolDatabase,
): Promise<number> {
  try {
    await storeOnce(deliveries, database);
    return 0;
  } catch (error) {
    const isItemFault = database.isItemFault(error);
    if (!isItemFault && !mayRepeat.test(sqlStateOf(error) ?? "")) throw error;
    const [first] = deliveries;
    if (first === undefined) return 0;
    if (deliveries.length === 1) {
      const { id: deliveryId, hookId, accountId } = first;
      const reason = reasonOf(error);
      if (isItemFault || spool.isToSetAside(deliveryId)) {
        await spool.setAside(first, reason);
        log.error("spool.set_aside", { deliveryId, hookId, accountId, reason });
        return 1;
      }
      const { storeSlowly: store = database.store } = database;
      if (isCanceled(error) && store !== database.store)
        return await storeParts(deliveries, spool, { ...database, store });
      logCounted("error", "spool.held_up", { deliveryId, hookId, accountId, reason });
      throw error;
    }
    const middle = Math.ceil(deliveries.length / 2);
    const before = await storeParts(deliveries.slice(0, middle), spool, database);
    return before + (await storeParts(deliveries.slice(middle), spool, database));
  }
}

/**
 * Canceled statements, limits of PostgreSQL (class 54), errors of triggers (P0), and internal ones (XX): a
 * single delivery may cause them each time, although the database works.
 */
const mayRepeat = /^(?:57014|54|P0|XX)/;

async function storeOnce(
  deliveries: readonly NewDelivery[],
  database: SpoolDatabase,
): Promise<readonly StoredDelivery[]> {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const stored = await database.findStored(deliveries);
    const missing = deliveries.filter(({ id }) => !stored.has(id));
    if (missing.length === 0) return [];
    try {
      return await database.store(missing);
    } catch (error) {
      // The statement of a process that died was still running, and has stored them since.
      if (sqlStateOf(error) !== uniqueViolation || triesLeft === 1) throw error;
    }
  }
}

const uniqueViolation = "23505";

/** Not the message, which may quote what was sent. */
export function reasonOf(error: unknown): string {
  return sqlStateOf(error) ?? errorCode(error) ?? (error instanceof Error ? error.name : "unknown");
}

function toResponses({ atMs, deliveries }: SpooledBatch) {
  return deliveries
    .flatMap((delivery) => [delivery, ...(delivery.events ?? [])])
    .map(({ id, receivedAtMs }) => ({ id, ms: Math.max(0, Math.round(atMs - receivedAtMs)) }));
}
