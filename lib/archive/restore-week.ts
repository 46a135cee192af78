import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  type ArchiveSession,
  readColumns,
  readFacts,
  readManifestSha256,
} from "#lib/db/archive/archive-session.ts";
import {
  analyzeWeeks,
  indexAgain,
  keepWeek,
  listLoadedWeeks,
  loadLines,
  storeLoaded,
} from "#lib/db/archive/restore-rows.ts";
import type { ArchivedTable } from "#lib/db/archive/week-rows.ts";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { isStrays, type Manifest } from "./format.ts";
import { readPart, verifyWeek } from "./read-week.ts";
import { ArchiveError, type ArchiveStorage } from "./storage.ts";

export type RestoreOptions = {
  readonly client: ArchiveSession;
  readonly storage: ArchiveStorage;
  readonly week: Week;
  readonly sealer: Sealer;
  /** True if the operator trusts a manifest that neither the database nor the secret key knows. */
  readonly trustsUnsigned?: boolean;
  /** Retention leaves the restored rows alone until then. */
  readonly keepUntil: Date;
};

export type RestoredTable = {
  readonly name: ArchivedTable;
  /** In the archive. */
  readonly rows: number;
  /** Fewer: the database had the others, or what they belong to was deleted. */
  readonly restored: number;
};

/**
 * Puts the rows of a week back. Every byte is checked before the first is. Rows that exist are kept, so
 * that it may be repeated, also after it was interrupted.
 */
export async function restoreWeek(options: RestoreOptions): Promise<readonly RestoredTable[]> {
  const { client, storage, week, keepUntil, sealer, trustsUnsigned = false } = options;
  const knownSha256 = await readManifestSha256(client, week);
  const manifest = await verifyWeek(storage, week, { sealer, knownSha256, trustsUnsigned });
  await requireKnown(client, manifest);
  if (!isStrays(week)) await keepWeek(client, week, keepUntil);
  const restored: RestoredTable[] = [];
  for (const table of manifest.tables) restored.push(await restoreTable(options, table));
  if (!isStrays(week)) await indexAgain(client, week);
  await analyzeWeeks(client);
  return restored;
}

async function requireKnown(client: ArchiveSession, manifest: Manifest): Promise<void> {
  const { migrations } = await readFacts(client);
  const unknown = manifest.migrations.find((name) => !migrations.includes(name));
  if (unknown !== undefined)
    throw new ArchiveError(
      `The archive of ${manifest.week} is of a newer version (it has the migration ${unknown}): update first.`,
    );
}

async function restoreTable(
  { client, storage, week, keepUntil }: RestoreOptions,
  { name, rows, columns, parts }: Manifest["tables"][number],
): Promise<RestoredTable> {
  const known = await readColumns(client, name);
  // A newer version may have removed columns, and its new ones have their defaults.
  const shared = known.filter((column) => columns.some((one) => one.name === column.name));
  let restored = 0;
  for (const part of parts) {
    await loadLines(client, await readPart(storage, week, part));
    if (isStrays(week) || mayBeLater.has(name))
      for (const later of await listLoadedWeeks(client))
        if (later !== week) await keepWeek(client, later, keepUntil);
    restored += await storeLoaded(client, name, shared);
  }
  return { name, rows, restored };
}

/** Tables with rows of later weeks: replays and their steps, and late attempts. */
const mayBeLater: ReadonlySet<ArchivedTable> = new Set(["runs", "queue", "attempts", "run_steps"]);
