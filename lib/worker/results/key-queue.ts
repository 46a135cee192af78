import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { type KeyedRun, setOrderKeys } from "#lib/db/queue/set-order-keys.ts";
import { WriteQueue } from "./write-queue.ts";

export type KeyQueue = WriteQueue<KeyedRun>;

/** Writes the keys of runs of ordered actions. */
export function openKeyQueue(
  db: SqlDatabase,
  onWritten: (keyed: readonly KeyedRun[]) => void,
): KeyQueue {
  return new WriteQueue({
    db,
    write: setOrderKeys,
    onWritten,
    runIdOf: ({ id }) => id,
    charsOf: () => 0,
  });
}
