import type { Database } from "#lib/db/postgres/client.ts";
import { firstId } from "#lib/db/postgres/page.ts";
import { maxCounted } from "#lib/db/runs/bulk-jobs.ts";
import type { ReplayFilter } from "#lib/schema/replay.ts";
import { type LeftOut, type ReplayedPair, scanReplayed } from "./scan-replayed.ts";

/** How many are shown of what a replay would do. */
const sampleSize = 5;
const batchCounted = 2_000;

export type ReplayCount = {
  /** Runs that it would queue now. Null: more deliveries than are counted. */
  readonly total: number | null;
  /** The first of them. */
  readonly sample: readonly ReplayedPair[];
  /** Null: it sends what the actions say now, or there are more deliveries than are counted. */
  readonly leftOut: LeftOut | null;
};

/** What a replay would do now. */
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
