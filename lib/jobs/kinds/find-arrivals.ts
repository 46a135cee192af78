import { log } from "#lib/base/log.ts";
import { openRuleKey } from "#lib/core/people/erase/rule-key.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { type ArrivedTable, readArrived } from "#lib/db/erasures/read-arrived.ts";
import {
  findDueWatch,
  lockWatch,
  readRuleHashes,
  storeWatch,
  type Watch,
} from "#lib/db/erasures/watch-arrivals.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { readSpools } from "#lib/db/spool/spool-reports.ts";
import { createMatcher, type Matcher, matchRows } from "../erase/match-arrivals.ts";
import { startByRules } from "../erase/start-by-rules.ts";
import { defineJob, type Job } from "../job.ts";

type FindArrivalsOptions = { readonly db: SqlDatabase; readonly sealer: Sealer };

type Look = { readonly tx: SqlStatements; readonly watch: Watch };

/**
 * Finds values of people who were forgotten in what was stored since, in accounts with rules, and starts an
 * erasure for them. The erasure and the place up to which was looked are stored together: a killed process loses
 * nothing, and starts nothing twice. While an erasure runs, an account waits.
 */
export function findArrivalsJob({ db, sealer }: FindArrivalsOptions): Job {
  return defineJob<Look, void>({
    kind: "find_arrivals",
    async lock(use) {
      const accountId = await findDueWatch(db);
      if (accountId === null) return false;
      return await db.$transaction(async (tx) => {
        const watch = await lockWatch(tx, accountId);
        if (watch === null) return false;
        await use({ tx, watch });
        return true;
      });
    },
    workBatch: ({ tx, watch }) => lookAt(tx, sealer, watch),
  });
}

async function lookAt(tx: SqlStatements, sealer: Sealer, watch: Watch): Promise<void> {
  const { accountId, keyCiphertext } = watch;
  const key = openRuleKey(sealer, accountId, keyCiphertext);
  if (key === null) {
    // Other accounts aren't kept waiting.
    log.error("erasure_rules.key_not_opened", { accountId });
    return await storeWatch(tx, accountId, { progress: watch.progress, hasMore: false });
  }
  const matcher = createMatcher(key, await readRuleHashes(tx, accountId));
  let { progress } = watch;
  let hasMore = false;
  for (const table of ["deliveries", "events"] as const) {
    const seen = await lookAtTable(tx, { sealer, accountId, table, matcher }, progress);
    progress = seen.progress;
    hasMore ||= seen.hasMore;
    // One erasure at a time: events are looked at once it has ended.
    if (seen.hasStarted) break;
  }
  await storeWatch(tx, accountId, { progress, hasMore });
}

type Task = {
  readonly sealer: Sealer;
  readonly accountId: string;
  readonly table: ArrivedTable;
  readonly matcher: Matcher;
};

async function lookAtTable(
  tx: SqlStatements,
  { sealer, accountId, table, matcher }: Task,
  progress: Watch["progress"],
) {
  const cursor = progress[table];
  const nowMs = await findArrivedUpTo(tx, cursor.atMs);
  const batch = await readArrived(tx, table, { accountId, cursor, nowMs });
  const { matched, lastId } = matchRows(matcher, batch.rows);
  if (matched !== null) await startByRules(tx, sealer, accountId, matched);
  const isAll = lastId === (batch.rows.at(-1)?.id ?? null);
  const reached = isAll ? batch.cursor : batch.cursorAfter(lastId);
  return {
    progress: { ...progress, [table]: reached },
    hasMore: batch.isMore || !isAll || matched !== null,
    hasStarted: matched !== null,
  };
}

/** One that waited in a spool for longer isn't looked at: each look would go through the ids of that time. */
const maxWaitMs = 86_400_000;

/** Deliveries in a spool have arrived, and are stored later with the ids of that time. */
async function findArrivedUpTo(tx: SqlStatements, beforeMs: number): Promise<number> {
  const { waiting, oldestAt } = await readSpools(tx);
  const nowMs = Date.now();
  if (waiting === 0) return nowMs;
  return Math.max(nowMs - maxWaitMs, Math.min(nowMs, oldestAt?.getTime() ?? beforeMs));
}
