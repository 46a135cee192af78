import { idFloor } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { maxCounted } from "#lib/db/runs/bulk-jobs.ts";
import { findMissing, type MissingTarget } from "./find-missing.ts";

/**
 * Counts the events since a time that match a subscription but were never sent to it. Null: there
 * are too many events to count.
 */
export async function countMissing(
  db: Database,
  target: MissingTarget,
  sinceMs: number,
): Promise<number | null> {
  let after = idFloor(sinceMs);
  let total = 0;
  for (let scanned = 0; scanned < maxCounted; scanned += batchCounted) {
    const found = await findMissing(db, target, { after, limit: batchCounted });
    total += found.missing.length;
    if (found.last === null) return total;
    after = found.last;
  }
  return null;
}

const batchCounted = 5_000;
