import { statfs } from "node:fs/promises";
import { diskReserve } from "#lib/core/watch/disk-reserve.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openShared, resolveShared } from "#lib/db/problems/shared-problems.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

export type DiskOptions = {
  /** Any folder on the file system of the embedded database. Undefined: it isn't here. */
  readonly databaseFolder?: string | undefined;
  /** Below it, deliveries are rejected. */
  readonly minFreeDiskBytes: number;
};

/** The problem opens at twice the limit, while there is time, and is over at a little more. */
const opensAt = 2;
const endsAt = 2.5;

/** Opens a problem in every account while the disk of the embedded database is nearly full. */
export function diskJob(
  db: SqlDatabase,
  { databaseFolder: folder, minFreeDiskBytes }: DiskOptions,
): Job {
  return defineJob({
    kind: "check_disk",
    lock: lockNothing,
    async workBatch() {
      if (folder === undefined) return false;
      const { bavail, blocks, bsize } = await statfs(folder);
      const totalBytes = blocks * bsize;
      const disk = {
        freeBytes: bavail * bsize,
        totalBytes,
        minFreeBytes: diskReserve(minFreeDiskBytes, totalBytes),
      };
      if (disk.freeBytes < opensAt * disk.minFreeBytes)
        await openShared(db, { kind: "disk", ...disk });
      else if (disk.freeBytes >= endsAt * disk.minFreeBytes) await resolveShared(db, "disk");
      return false;
    },
  });
}
