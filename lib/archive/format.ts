import { z } from "zod";
import { archivedTables } from "#lib/db/archive/week-rows.ts";

/**
 * The archive of a week is a folder, named after its Monday. Deliveries and events outside of any week have
 * folders of their own. It has the rows of each table as lines of
 * JSON (NDJSON), in parts that are compressed with Zstandard. `manifest.json` is written last, and
 * without it the archive is incomplete. `zstd` reads a part without Catchment.
 */
export const archiveFormat = "catchment-archive";
export const archiveVersion = 1;

const count = z.int().nonnegative();
/** The largest row has a body of the largest size. No part may ask for more memory than that. */
const partSize = count.max(1024 ** 3);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const columnName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const straysName = /^strays-\d{8}T\d{9}Z$/;
/** The folder of rows outside of any week, by when they were archived. */
export type StraysName = `strays-${string}`;
export const weekSchema = z.string().regex(/^(\d{4}-\d{2}-\d{2}|strays-\d{8}T\d{9}Z)$/);

const partSchema = z.object({
  /** The path within the folder of the week. */
  name: z.string().regex(/^[a-z_]+\/\d{6,}\.ndjson\.zst$/),
  rows: count,
  /** The size of the lines. `fileBytes` is the size of the compressed file. */
  bytes: partSize,
  fileBytes: partSize,
  /** The checksum of the file, in hexadecimal. */
  sha256,
});
export type ArchivePart = z.infer<typeof partSchema>;

export const manifestSchema = z.object({
  format: z.literal(archiveFormat),
  version: z.literal(archiveVersion),
  /** The archive's id, which the database that it comes from has recorded. */
  id: z.uuid(),
  /** The Monday of the week, or the name of strays. */
  week: weekSchema,
  createdAt: z.iso.datetime(),
  /** The version of PostgreSQL. */
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
  /** The checksum of the rest, sealed with the secret key. Earlier versions wrote none. */
  seal: z.base64().optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export function nameStrays(now: Date): StraysName {
  return `strays-${now.toISOString().replaceAll(/[-:.]/g, "")}`;
}

export function isStrays(name: string): name is StraysName {
  return straysName.test(name);
}

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
