import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  type ArchiveSession,
  readColumns,
  readFacts,
  readLines,
} from "#lib/db/archive/archive-session.ts";
import { type ArchivedTable, archivedTables } from "#lib/db/archive/week-rows.ts";
import type { Week } from "#lib/db/postgres/partitions/kept-weeks.ts";
import {
  type ArchivePart,
  archiveFormat,
  archiveVersion,
  type Manifest,
  manifestName,
  partName,
  type StraysName,
} from "./format.ts";
import { sealManifest } from "./manifest-seal.ts";
import { splitLines } from "./split-lines.ts";
import type { ArchiveStorage } from "./storage.ts";

export type WriteOptions = {
  readonly client: ArchiveSession;
  readonly storage: ArchiveStorage;
  /** The name of its folder. */
  readonly week: Week | StraysName;
  /** The statement that selects the rows of a table. Null: none. */
  readonly select: (table: ArchivedTable) => string | null;
  /** The archive's id, for its manifest. */
  readonly id: string;
  readonly now: Date;
  readonly sealer: Sealer;
  readonly signal: AbortSignal;
};

/** The size of a part before compression. Its file has about a tenth of that. */
const partBytes = 8 * 1024 * 1024;

/**
 * Writes the archive of a week, a part at a time, and its manifest last. Removes the files of an
 * earlier try first.
 *
 * @returns the manifest as it was written
 */
export async function writeWeek(options: WriteOptions): Promise<Buffer> {
  const { client, storage, week, id, now, sealer, signal } = options;
  // Without its manifest, the archive counts as incomplete from here on.
  await storage.remove(`${week}/${manifestName}`);
  for (const name of await storage.list(week)) await storage.remove(`${week}/${name}`);
  const tables: Manifest["tables"] = [];
  for (const table of archivedTables) tables.push(await writeTable(options, table));
  const { serverVersion, migrations } = await readFacts(client);
  const manifest: Manifest = {
    format: archiveFormat,
    version: archiveVersion,
    id,
    week,
    createdAt: now.toISOString(),
    serverVersion,
    migrations: [...migrations],
    tables,
  };
  signal.throwIfAborted();
  const sealed = sealManifest(manifest, sealer);
  const bytes = Buffer.from(`${JSON.stringify(sealed, null, 2)}\n`);
  await storage.put(`${week}/${manifestName}`, bytes);
  return bytes;
}

async function writeTable(
  { client, storage, week, select, signal }: WriteOptions,
  table: ArchivedTable,
): Promise<Manifest["tables"][number]> {
  const columns = await readColumns(client, table);
  const parts: ArchivePart[] = [];
  const selected = select(table);
  const lines = selected === null ? [] : readLines(client, selected, columns);
  for await (const { bytes, rows } of splitLines(lines, partBytes)) {
    signal.throwIfAborted();
    const name = partName(table, parts.length + 1);
    const file = await compress(bytes);
    await storage.put(`${week}/${name}`, file);
    parts.push({ name, rows, bytes: bytes.length, fileBytes: file.length, sha256: sha256Of(file) });
  }
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return { name: table, columns: [...columns], rows, parts };
}

/** Zstandard is three times as fast as gzip, and its files are smaller. */
export async function compress(bytes: Buffer): Promise<Buffer> {
  return await promisify<Buffer, object, Buffer>(zstdCompress)(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
}

export function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
