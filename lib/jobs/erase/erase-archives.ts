import { eraseWeek, removeUnnamed } from "#lib/archive/erase-week.ts";
import { manifestName } from "#lib/archive/format.ts";
import { ArchiveError, type ArchiveStorage } from "#lib/archive/storage.ts";
import { sha256Of } from "#lib/archive/write-week.ts";
import type { Eraser } from "#lib/core/people/erase/eraser.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import {
  type KnownArchive,
  type LeasedErasure,
  readKnownArchive,
  recordReplaced,
  renewLease,
  storeReplacing,
} from "#lib/db/erasures/work-erasures.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

type Archives = {
  readonly db: SqlDatabase;
  readonly databaseUrl: string;
  readonly storage: ArchiveStorage;
  readonly sealer: Sealer;
};

type WeekDone = {
  /** The folder that was looked at. Null: there is no other. */
  readonly week: string | null;
  readonly rows: number;
  /** Why it couldn't be looked into. Null: it was. */
  readonly problem: string | null;
};

/**
 * Looks at the next archive. No other process archives or restores meanwhile.
 *
 * @returns null if another one does now
 */
export async function eraseNextArchive(
  { db, databaseUrl, storage, sealer }: Archives,
  erasure: LeasedErasure,
  eraser: Eraser,
): Promise<WeekDone | null> {
  return await withArchiveSession(databaseUrl, async () => {
    const done = erasure.progress.after?.[0] ?? "";
    const folders = (await storage.listFolders()).filter(isArchive).toSorted();
    const week = folders.find((name) => name > done);
    if (week === undefined) return { week: null, rows: 0, problem: null };
    try {
      return {
        week,
        problem: null,
        rows: await eraseOne({ db, storage, sealer }, erasure, week, eraser),
      };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      return { week, rows: 0, problem: error.message };
    }
  });
}

/** A week or strays. Anything else isn't ours. */
function isArchive(name: string): boolean {
  return /^(\d{4}-\d{2}-\d{2}|strays-\d{8}T\d{9}Z)$/.test(name);
}

async function eraseOne(
  { db, storage, sealer }: Omit<Archives, "databaseUrl">,
  erasure: LeasedErasure,
  week: string,
  eraser: Eraser,
): Promise<number> {
  const { replacing } = erasure.progress;
  const known = await readKnownArchive(db, week);
  const isReplaced = replacing?.week === week && (await isOf(storage, week, replacing.sha256));
  // A process was killed between the two: what it wrote is what it said that it would write.
  if (isReplaced && known?.sha256 !== null && known !== null)
    await recordReplaced(db, week, known.sha256, replacing.sha256);
  const knownSha256 = isReplaced ? replacing.sha256 : (known?.sha256 ?? null);
  const rows = await eraseWeek({
    ...{ storage, week, sealer, eraser, knownSha256 },
    ...{ accountId: erasure.accountId, mode: erasure.mode, dryRun: erasure.dryRun },
    onPart: () => renewLease(db, erasure),
    onReplacing: (next) =>
      storeReplacing(db, erasure, { ...erasure.progress, replacing: { week, ...next } }),
    onReplaced: (before, after) => recordReplaced(db, week, before, after),
  });
  if (rows === null) return await removeIncomplete(storage, week, known, erasure.dryRun);
  return isReplaced ? rows + replacing.rows : rows;
}

async function isOf(storage: ArchiveStorage, week: string, sha256: string): Promise<boolean> {
  const bytes = await storage.get(`${week}/${manifestName}`);
  return bytes !== null && sha256Of(bytes) === sha256;
}

/** What is left of an archive that was never finished. Its week is still in the database, and is archived again. */
async function removeIncomplete(
  storage: ArchiveStorage,
  week: string,
  known: KnownArchive | null,
  dryRun: boolean,
): Promise<number> {
  if ((await storage.list(week)).length === 0 || dryRun) return 0;
  if (known === null || known.isDropped)
    throw new ArchiveError(
      `There is no whole archive of ${week}, and this database doesn't have the week. Remove the folder if you can.`,
    );
  await removeUnnamed(storage, week, { tables: [] });
  return 0;
}
