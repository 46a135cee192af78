import { z } from "zod";

/**
 * A backup is a tar archive: `header.json`, the rows of each table as PostgreSQL's COPY text in
 * `tables/<table>/<number>.copy.gz`, the secret key if it was asked for, and at last
 * `manifest.json`, without which a backup isn't whole. `tar` and `gunzip` read it without Catchment.
 */
export const backupFormat = "catchment-backup";
export const backupVersion = 1;

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

export const backupHeaderSchema = z.object({
  format: z.literal(backupFormat),
  version: z.literal(backupVersion),
  createdAt: z.iso.datetime(),
  /** PostgreSQL's. */
  serverVersion: z.string(),
  migrations: z.array(z.string()),
  /** The id of the key that sealed the secrets. Null: the database has no key yet. */
  sealKeyId: z.string().nullable(),
  /** In an order in which each comes after those that it refers to. */
  tables: z.array(z.object({ name, columns: z.array(name) })),
  /** The Mondays of weekly partitions, as `20261116`. */
  weeks: z.array(z.string().regex(/^\d{8}$/)),
  sequences: z.array(z.object({ name, lastValue: z.string(), isCalled: z.boolean() })),
});
export type BackupHeader = z.infer<typeof backupHeaderSchema>;

export const backupManifestSchema = z.object({
  /** SHA-256 of everything before the manifest, in hexadecimal. */
  sha256: z.string(),
  tables: z.array(
    z.object({
      name,
      rows: z.int(),
      /** Size of the COPY text. */
      bytes: z.int(),
      /** SHA-256 of the COPY text, in hexadecimal. */
      sha256: z.string(),
    }),
  ),
});
export type BackupManifest = z.infer<typeof backupManifestSchema>;

export const headerName = "header.json";
export const manifestName = "manifest.json";
export const keyName = "secret-key.json";

export function partName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, "0")}.copy.gz`;
}

/** The table of a part. Null: the entry isn't one. */
export function tableOfPart(entryName: string): string | null {
  return /^tables\/([a-z_][a-z0-9_]*)\/\d{6,}\.copy\.gz$/.exec(entryName)?.[1] ?? null;
}

/** COPY text means the same on every server with these. */
export const copySettings = `set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO';
  set intervalstyle = 'postgres'; set extra_float_digits = 3; set bytea_output = 'hex';
  set client_encoding = 'UTF8'`;

export function quoteName(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
