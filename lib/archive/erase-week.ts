import type { Eraser } from "#lib/core/people/erase/eraser.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { LeasedErasure } from "#lib/db/erasures/work-erasures.ts";
import { LineEraser, type LinesDone } from "./erase-lines.ts";
import { type ArchivePart, type Manifest, manifestName, partName } from "./format.ts";
import { requireTrusted, sealManifest } from "./manifest-seal.ts";
import { readManifest, readPart } from "./read-week.ts";
import type { ArchiveStorage } from "./storage.ts";
import { compress, sha256Of } from "./write-week.ts";

export type EraseWeekOptions = {
  readonly storage: ArchiveStorage;
  /** The name of its folder. */
  readonly week: string;
  readonly sealer: Sealer;
  readonly accountId: string;
  readonly mode: LeasedErasure["mode"];
  /** It only counts. */
  readonly dryRun: boolean;
  readonly eraser: Eraser;
  /** The checksum of the manifest as this database knows it. Null: it doesn't. */
  readonly knownSha256: string | null;
  /** Called for each part: the process still has the job. */
  readonly onPart: () => Promise<void>;
  /** Called before the manifest is replaced: from then on, the archive is that of the new checksum. */
  readonly onReplacing: (replaced: {
    readonly sha256: string;
    readonly rows: number;
  }) => Promise<void>;
  /** Called once it is replaced. */
  readonly onReplaced: (before: string, after: string) => Promise<void>;
};

/**
 * Takes values out of a week's archive. Changed parts get new names, so that the archive is whole at every
 * instant: as it was until its manifest is replaced, and as it is to be from then on. Then the files that the
 * manifest doesn't name are removed, also those of a try that was interrupted.
 *
 * @returns how many rows had a value. Null: there is no whole archive
 */
export async function eraseWeek(options: EraseWeekOptions): Promise<number | null> {
  const { storage, week, sealer, knownSha256, dryRun } = options;
  const found = await readManifest(storage, week);
  if (found === null) return null;
  requireTrusted(found, { sealer, knownSha256 });
  const { manifest } = found;
  const lines = new LineEraser(options);
  const tables: Manifest["tables"] = [];
  for (const table of manifest.tables) tables.push(await eraseTable(options, table, lines));
  const { rows, hasChanged } = lines.done();
  if (dryRun) return rows;
  let current = manifest;
  if (hasChanged) {
    const { seal: _, ...rest } = manifest;
    current = sealManifest({ ...rest, tables }, sealer);
    const bytes = Buffer.from(`${JSON.stringify(current, null, 2)}\n`);
    const sha256 = sha256Of(bytes);
    await options.onReplacing({ sha256, rows });
    await storage.put(`${week}/${manifestName}`, bytes);
    await options.onReplaced(found.sha256, sha256);
  }
  await removeUnnamed(storage, week, current);
  return rows;
}

/** Files of the folder that aren't part of the archive: earlier parts, and what is left of a try. */
export async function removeUnnamed(
  storage: ArchiveStorage,
  week: string,
  { tables }: Pick<Manifest, "tables">,
): Promise<void> {
  const named = new Set([
    manifestName,
    ...tables.flatMap(({ parts }) => parts.map(({ name }) => name)),
  ]);
  for (const name of await storage.list(week))
    if (!named.has(name)) await storage.remove(`${week}/${name}`);
}

async function eraseTable(
  { storage, week, dryRun, onPart }: EraseWeekOptions,
  table: Manifest["tables"][number],
  lines: LineEraser,
): Promise<Manifest["tables"][number]> {
  const parts: ArchivePart[] = [];
  let number = Math.max(0, ...table.parts.map(({ name }) => numberOf(name)));
  for (const part of table.parts) {
    await onPart();
    const done: LinesDone = lines.erase(table, await readPart(storage, week, part));
    if (done.bytes === null || dryRun) parts.push(part);
    if (done.bytes === null || dryRun || done.rows === 0) continue;
    number += 1;
    const name = partName(table.name, number);
    const file = await compress(done.bytes);
    await storage.put(`${week}/${name}`, file);
    parts.push({
      ...{ name, rows: done.rows, bytes: done.bytes.length },
      ...{ fileBytes: file.length, sha256: sha256Of(file) },
    });
  }
  return { ...table, parts, rows: parts.reduce((sum, { rows }) => sum + rows, 0) };
}

function numberOf(name: string): number {
  return Number(/(\d+)\.ndjson\.zst$/.exec(name)?.[1] ?? 0);
}
