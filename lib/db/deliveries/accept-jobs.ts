import type { Database } from "#lib/db/postgres/client.ts";
import { firstId } from "#lib/db/postgres/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { type BulkJobRecord, insertBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { RejectedFilter } from "#lib/schema/delivery.ts";
import { scanRejected } from "./scan-rejected.ts";

/** More are shown as "all". A search reads bodies, so it counts fewer. */
const maxCounted = 10_000;
const maxSearched = 2_000;

/** The number of deliveries that a job would process now. Null: more than are counted. */
export async function countRejected(
  db: SqlStatements,
  accountId: string,
  filter: RejectedFilter,
): Promise<number | null> {
  const limit = filter.q === undefined ? maxCounted : maxSearched;
  const scanned = await scanRejected(db, accountId, filter, { limit: limit + 1 });
  return scanned.length > limit ? null : scanned.filter(({ isMatch }) => isMatch).length;
}

/**
 * A job for the deliveries that are rejected now. Throws `conflict` if there are none or too many
 * jobs are running.
 */
export async function createAcceptJob(
  db: Database,
  accountId: string,
  filter: RejectedFilter,
): Promise<BulkJobRecord> {
  const total = await countRejected(db, accountId, filter);
  if (total === 0) throw new AppError("conflict", "No rejected delivery matches this filter.");
  // Ids contain times: later deliveries have a larger one than the job.
  return await insertBulkJob(db, accountId, {
    id: newId(),
    kind: "accept",
    filter,
    total,
    seenBefore: firstId,
  });
}
