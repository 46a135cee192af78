import { firstId } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { maxCounted } from "#lib/db/runs/bulk-jobs.ts";
import type { ReplayFilter } from "#lib/schema/act/replay.ts";
import { type LeftOut, type ReplayedPair, scanReplayed } from "./scan-replayed.ts";

/** The number of runs in a preview of a replay. */
const sampleSize = 5;
const batchCounted = 2_000;

export type ReplayCount = {
  /** The number of runs that it would queue now. Null: there are too many deliveries to count. */
  readonly total: number | null;
  /** The first of these runs. */
  readonly sample: readonly ReplayedPair[];
  /**
   * Deliveries that it leaves out. Null: it sends what the current actions say, or there are too
   * many deliveries to count.
   */
  readonly leftOut: LeftOut | null;
};

/** Counts the runs that a replay would queue now. */
export async function countReplayed(
  db: Database,
  accountId: string,
  filter: ReplayFilter,
): Promise<ReplayCount> {
  let after = firstId;
  let total = 0;
  const sample: ReplayedPair[] = [];
  const leftOut = { notStored: 0, nothingSent: 0 };
  for (let seen = 0; seen < maxCounted; seen += batchCounted) {
    const span = { after, limit: batchCounted };
    const found = await scanReplayed(db, accountId, filter, filter.actionIds, span);
    total += found.pairs.length;
    leftOut.notStored += found.leftOut.notStored;
    leftOut.nothingSent += found.leftOut.nothingSent;
    sample.push(...found.pairs.slice(0, sampleSize - sample.length));
    if (found.last === null)
      return { total, sample, leftOut: filter.as === "then" ? leftOut : null };
    after = found.last;
  }
  return { total: null, sample, leftOut: null };
}

/** The newest accepted delivery of a hook. Null: none. */
export async function findNewestAccepted(db: Database, hookId: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where hook_id = ${hookId}::uuid and status = 'accepted'
    order by hook_id desc, status desc, id desc limit 1`;
  return row?.id ?? null;
}

/** The actions of a hook, in their order. */
export async function listActionStates(
  db: Database,
  hookId: string,
): Promise<readonly { readonly id: string; readonly enabled: boolean }[]> {
  return await db.action.findMany({
    where: { hookId, deletedAt: null },
    select: { id: true, enabled: true },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
}
