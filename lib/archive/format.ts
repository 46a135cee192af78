import { z } from "zod";
import { archivedTables } from "#lib/db/archive/week-rows.ts";

/**
 * The archive of a week is a folder, named by its Monday: the rows of each table as lines of JSON
 * (NDJSON) in parts, compressed with Zstandard, and at last `manifest.json`, without which it isn't
 * whole. `zstd` reads a part without Catchment.
 */
export const archiveFormat = "catchment-archive";
export const archiveVersion = 1;

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const columnName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
export const weekSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const partSchema = z.object({
  /** From the folder of the week. */
  name: z.string().regex(/^[a-z_]+\/\d{6,}\.ndjson\.zst$/),
  rows: count,
  /** Size of the lines, and of the file. */
  bytes: count,
  fileBytes: count,
  /** Of the file, in hexadecimal. */
  sha256,
});
export type ArchivePart = z.infer<typeof partSchema>;

export const manifestSchema = z.object({
  format: z.literal(archiveFormat),
  version: z.literal(archiveVersion),
  /** The database that it is of knows it. */
  id: z.uuid(),
  /** Its Monday. */
  week: weekSchema,
  createdAt: z.iso.datetime(),
  /** PostgreSQL's. */
  serverVersion: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.enum(archivedTables),
      columns: z.array(z.object({ name: columnName, type: z.string() })),
      rows: count,
      parts: z.array(partSchema),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const manifestName = "manifest.json";

export function partName(table: string, number: number): string {
  return `${table}/${String(number).padStart(6, "0")}.ndjson.zst`;
}

export function totalOf({ tables }: Manifest): { rows: number; bytes: number; fileBytes: number } {
  const parts = tables.flatMap((table) => table.parts);
  const sum = (key: "rows" | "bytes" | "fileBytes") =>
    parts.reduce((total, part) => total + part[key], 0);
  return { rows: sum("rows"), bytes: sum("bytes"), fileBytes: sum("fileBytes") };
}
