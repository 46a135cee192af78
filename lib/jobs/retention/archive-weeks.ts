import { ArchiveError } from "#lib/archive/storage.ts";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { idTime } from "#lib/core/api/page.ts";
import type { ArchiveEnv } from "#lib/core/env/archive-settings.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { BeforeDrop } from "#lib/db/archive/drop-weeks.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { resolveShared, updateShared } from "#lib/db/problems/shared-problems.ts";

export type ArchiveOptions = {
  /** Undefined: weeks are dropped without an archive. */
  readonly archive?: ArchiveEnv | undefined;
  readonly databaseUrl: string;
  readonly sealer: Sealer;
};

/**
 * Calls `sweep` with what archives each week before it is dropped. While a week can't be archived, a
 * problem is open in every account, and what isn't of a week is swept all the same.
 */
export async function withArchive<Result>(
  db: SqlDatabase,
  { archive, databaseUrl, sealer }: ArchiveOptions,
  signal: AbortSignal,
  sweep: (beforeDrop: BeforeDrop | undefined) => Promise<Result>,
): Promise<Result> {
  if (archive === undefined) {
    await resolveShared(db, "archive");
    return await sweep(undefined);
  }
  // Workers without an archive need no client for buckets.
  const [{ archiveBeforeDrop }, { openStorage }] = await Promise.all([
    import("#lib/archive/archive-weeks.ts"),
    import("#lib/archive/open-storage.ts"),
  ]);
  const storage = openStorage(archive);
  // Also while another process archives it, or it is being changed: it isn't over then.
  let isLeft = false;
  try {
    const options = { db, databaseUrl, storage, sealer, signal };
    const { prepare, confirm, prepareStrays } = archiveBeforeDrop(options);
    const explain = async (week: string, archive: () => Promise<boolean>) => {
      try {
        const isArchived = await archive();
        isLeft ||= !isArchived;
        return isArchived;
      } catch (error) {
        if (signal.aborted) return false;
        isLeft = true;
        log.error("archive.failed", { week, error: toError(error) });
        const message = error instanceof ArchiveError ? error.message : unexpected;
        await updateShared(db, { kind: "archive", week, message });
        return false;
      }
    };
    const swept = await sweep({
      confirm,
      prepare: (week) => explain(week, () => prepare(week)),
      prepareStrays: (ids) => explain(weekOf(ids[0] ?? ""), () => prepareStrays(ids)),
    });
    if (!isLeft && !signal.aborted) await resolveShared(db, "archive");
    return swept;
  } finally {
    await storage.close();
  }
}

/** The Monday of the week that an id would be in. */
function weekOf(id: string): string {
  return new Date(startOfWeek(idTime(id))).toISOString().slice(0, 10);
}

const unexpected = "An unexpected error. The operator finds it in the log line archive.failed.";
