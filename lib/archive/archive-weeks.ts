import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import {
  beginArchive,
  confirmArchived,
  readArchivedWeek,
  recordArchived,
} from "#lib/db/archive/archived-weeks.ts";
import type { BeforeDrop } from "#lib/db/archive/drop-weeks.ts";
import { selectStrayRows } from "#lib/db/archive/stray-rows.ts";
import { type ArchivedTable, selectWeekRows } from "#lib/db/archive/week-rows.ts";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { nameStrays, totalOf } from "./format.ts";
import { readManifest, verifyWeek } from "./read-week.ts";
import { ArchiveError, type ArchiveStorage } from "./storage.ts";
import { sha256Of, writeWeek } from "./write-week.ts";

export type ArchiveOptions = {
  readonly db: SqlDatabase;
  /** For a session of its own. */
  readonly databaseUrl: string;
  readonly storage: ArchiveStorage;
  readonly sealer: Sealer;
  readonly signal: AbortSignal;
};

/**
 * Archives weeks before they are dropped. A week is dropped once its archive was read back, if nothing
 * of it was changed since it was started. Otherwise, it stays for the next time. Throws if it can't be
 * archived.
 */
export function archiveBeforeDrop(options: ArchiveOptions): BeforeDrop {
  return {
    prepare: (week) => archiveWeek(options, week),
    prepareStrays: (ids) => archiveStrays(options, ids),
    confirm: async (tx, week) => {
      const isArchived = await confirmArchived(tx, week);
      if (!isArchived) log.info("archive.week_changed", { week });
      return isArchived;
    },
  };
}

/** @returns false if another process is archiving, or the week is being changed */
async function archiveWeek(options: ArchiveOptions, week: Week): Promise<boolean> {
  const { db, databaseUrl, storage } = options;
  const known = await readArchivedWeek(db, week);
  // It was restored for a while. What is left of it now may be less than what is archived.
  if (known?.isDropped === true) return true;
  const found = await readManifest(storage, week);
  if (found !== null && found.sha256 === known?.manifestSha256) return true;
  if (found !== null && found.manifest.id !== known?.archiveId)
    throw new ArchiveError(
      `There is an archive of ${week} that isn't of this database: move it, or set CATCHMENT_ARCHIVE to another place.`,
    );
  const done = await withArchiveSession(databaseUrl, async (client) => {
    const startedAt = performance.now();
    const now = new Date();
    const started = await beginArchive(db, week);
    if (started === null) return false;
    const { id } = started;
    const select = (table: ArchivedTable) => selectWeekRows(table, week);
    const manifestSha256 = sha256Of(await writeWeek({ ...options, client, week, select, id, now }));
    // An earlier archive, which a cache may give back, is whole too.
    const { signal, sealer } = options;
    const trust = { sealer, knownSha256: manifestSha256 };
    const total = totalOf(await verifyWeek(storage, week, { ...trust, signal }));
    if (!(await recordArchived(db, week, started, manifestSha256))) return false;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    log.info("archive.written", { week, ...total, seconds });
    return true;
  });
  return done ?? false;
}

/**
 * Archives deliveries and events outside of any week, with their runs, in a folder of their own. They are read back
 * before they are deleted.
 *
 * @returns false if another process is archiving
 */
async function archiveStrays(options: ArchiveOptions, ids: readonly string[]): Promise<boolean> {
  const { databaseUrl, storage, sealer, signal } = options;
  const done = await withArchiveSession(databaseUrl, async (client) => {
    const now = new Date();
    const week = nameStrays(now);
    const select = (table: ArchivedTable) =>
      table === "queue" || table === "delivery_terms" ? null : selectStrayRows(table, ids);
    const written = await writeWeek({ ...options, client, week, select, id: newId(), now });
    const trust = { sealer, knownSha256: sha256Of(written) };
    const total = totalOf(await verifyWeek(storage, week, { ...trust, signal }));
    log.info("archive.written", { week, ...total });
    return true;
  });
  return done ?? false;
}
