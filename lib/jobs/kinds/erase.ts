import type { ArchiveEnv } from "#lib/core/env/archive-settings.ts";
import { openErasedValues } from "#lib/core/people/erase/erased-values.ts";
import { createEraser, type Eraser } from "#lib/core/people/erase/eraser.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { ErasureCounts, ErasureProgress } from "#lib/db/erasures/erasures.ts";
import { restWatch } from "#lib/db/erasures/watch-arrivals.ts";
import {
  endLease,
  holdErasure,
  type LeasedErasure,
  leaseErasure,
  storeFinished,
  storeReached,
} from "#lib/db/erasures/work-erasures.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { readWaiting } from "#lib/db/spool/spool-reports.ts";
import type { ErasurePlace } from "#lib/schema/account/erasure-places.ts";
import { eraseNextArchive } from "../erase/erase-archives.ts";
import { eraseRows, listPlaces } from "../erase/erase-rows.ts";
import { keepRules } from "../erase/keep-rules.ts";
import { writeReceipt } from "../erase/write-receipt.ts";
import { defineJob, type Job } from "../job.ts";

export type EraseOptions = {
  readonly db: SqlDatabase;
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  readonly archive?: ArchiveEnv | undefined;
};

/** After that many, what still comes is left, and the erasure says so. */
const maxPasses = 5;
/** The pause while another process archives, or a spool has what may be about the person. */
const waitSeconds = 5;
const pauseAfterFailure = 10;

/**
 * Forgets a person. Each pass looks at every row of the account, and at the archives once the database has
 * nothing of them any more that a week could be archived with. The next pass finds what was stored meanwhile
 * behind the place where the last one was: by a call in flight, or from a spool. One that finds nothing is
 * the last.
 *
 * A batch has a lease, because an archive takes longer than a transaction may. What it changes in the database
 * and where it has come to are stored together, so that a killed process leaves nothing half done.
 */
export function eraseJob(options: EraseOptions): Job {
  const { db } = options;
  return defineJob<LeasedErasure, void>({
    kind: "erase",
    async lock(use) {
      const erasure = await leaseErasure(db);
      if (erasure === null) return false;
      try {
        await use(erasure);
      } catch (error) {
        await endLease(db, erasure, pauseAfterFailure).catch(() => {});
        throw error;
      }
      return true;
    },
    workBatch: (erasure) => workOn(options, erasure),
  });
}

async function workOn(options: EraseOptions, erasure: LeasedErasure): Promise<void> {
  const { pass, place, found } = erasure.progress;
  const places = listPlaces(pass);
  if (place < places.length) return await workOnRows(options, erasure);
  // What came meanwhile may be archived by now too.
  const mayHave = options.archive !== undefined && (pass === 1 || found > 0);
  if (mayHave && place === places.length) return await workOnArchives(options, erasure);
  return await endPass(options, erasure);
}

async function workOnRows({ db, sealer }: EraseOptions, erasure: LeasedErasure): Promise<void> {
  const { accountId, mode, dryRun, progress } = erasure;
  const place = listPlaces(progress.pass)[progress.place];
  if (place === undefined) throw new Error(`There is no place ${progress.place}`);
  const eraser = openEraser(sealer, erasure);
  await db.$transaction(async (tx) => {
    await holdErasure(tx, erasure);
    const done = await eraseRows(
      tx,
      place,
      { accountId, mode, dryRun, eraser, sealer },
      progress.after,
    );
    const isCounted = progress.pass === 1 || place.how !== "name";
    await storeReached(tx, erasure, {
      counts: isCounted ? addCount(erasure.counts, place.name, done) : erasure.counts,
      progress: {
        ...progress,
        place: done.isAtEnd ? progress.place + 1 : progress.place,
        after: done.isAtEnd ? null : done.after,
        found: progress.found + (place.how === "name" ? 0 : done.found),
      },
    });
  });
}

async function workOnArchives(options: EraseOptions, erasure: LeasedErasure): Promise<void> {
  const { db, databaseUrl, sealer, archive } = options;
  if (archive === undefined) throw new Error("There is no archive");
  // Workers without an archive need no client for buckets.
  const { openStorage } = await import("#lib/archive/open-storage.ts");
  const storage = openStorage(archive);
  try {
    const eraser = openEraser(sealer, erasure);
    const done = await eraseNextArchive({ db, databaseUrl, storage, sealer }, erasure, eraser);
    const { progress, counts } = erasure;
    if (done === null) return await storeReached(db, erasure, { progress, counts }, waitSeconds);
    const { week, rows, problem } = done;
    const changed = erasure.dryRun ? 0 : rows;
    await storeReached(db, erasure, {
      counts: addCount(counts, "archive", { found: rows, changed }),
      progress: {
        ...progress,
        place: week === null ? progress.place + 1 : progress.place,
        after: week === null ? null : [week],
        replacing: null,
        left: problem === null ? progress.left : [...progress.left, problem],
      },
    });
  } finally {
    await storage.close();
  }
}

/** Begins the next pass, or ends. A spool is empty before the last one. */
async function endPass({ db, sealer }: EraseOptions, erasure: LeasedErasure): Promise<void> {
  const { progress, counts, dryRun } = erasure;
  const { waiting, setAside } = await readWaiting(db);
  const isLast =
    dryRun || (progress.pass > 1 && progress.found === 0) || progress.pass === maxPasses;
  if (!isLast) {
    if (waiting > 0) return await storeReached(db, erasure, { progress, counts }, waitSeconds);
    const next = { ...progress, pass: progress.pass + 1, place: 0, after: null, found: 0 };
    return await storeReached(db, erasure, { progress: next, counts });
  }
  const ended = {
    ...progress,
    left: [...progress.left, ...describeLeft(progress, { waiting, setAside, dryRun })],
  };
  await db.$transaction(async (tx) => {
    await finish(tx, sealer, erasure, ended);
  });
}

async function finish(
  tx: SqlStatements,
  sealer: Sealer,
  erasure: LeasedErasure,
  progress: ErasureProgress,
): Promise<void> {
  await holdErasure(tx, erasure);
  await storeFinished(tx, erasure, { progress, counts: erasure.counts });
  await writeReceipt(tx, sealer, erasure, erasure.counts);
  if (erasure.laterArrivals && !erasure.dryRun) await keepRules(tx, sealer, erasure);
  if (erasure.ruleIds.length > 0) await restWatch(tx, erasure.accountId);
}

type Spools = { readonly waiting: number; readonly setAside: number; readonly dryRun: boolean };

function describeLeft(
  { pass, found }: ErasureProgress,
  { waiting, setAside, dryRun }: Spools,
): readonly string[] {
  return [
    ...(!dryRun && pass === maxPasses && found > 0
      ? ["New rows with a value kept coming while this ran. Start it again once they don't."]
      : []),
    ...(dryRun && waiting > 0
      ? [`${waiting} deliveries wait in a spool, and weren't looked at.`]
      : []),
    ...(setAside > 0
      ? [`${setAside} deliveries are set aside in a spool. An operator has to look at them.`]
      : []),
  ];
}

function addCount(
  counts: ErasureCounts,
  place: ErasurePlace,
  done: { readonly found: number; readonly changed: number },
): ErasureCounts {
  const before = counts[place] ?? { found: 0, changed: 0 };
  const { found, changed } = done;
  return { ...counts, [place]: { found: before.found + found, changed: before.changed + changed } };
}

/** The expressions of the last erasure: a batch takes less time than to make them. */
let last: { readonly id: string; readonly eraser: Eraser } | null = null;

function openEraser(sealer: Sealer, erasure: LeasedErasure): Eraser {
  if (last?.id !== erasure.id)
    last = { id: erasure.id, eraser: createEraser(openErasedValues(sealer, erasure)) };
  return last.eraser;
}
