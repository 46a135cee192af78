import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { errorCode } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { encryptWithPassphrase } from "#lib/core/people/seal/passphrase.ts";
import { StartError } from "#server/system/start-error.ts";
import { describeDatabase, listTables, lockTables } from "./describe-database.ts";
import {
  type BackupHeader,
  type BackupManifest,
  copySettings,
  headerName,
  keyName,
  manifestName,
  partName,
  quoteName,
} from "./format.ts";
import { TarWriter } from "./tar.ts";

type BackupOptions = {
  /** A session of its own. */
  readonly client: Client;
  readonly path: string;
  readonly now: Date;
  /** Includes the secret key, encrypted with this passphrase. Null: the backup has no key. */
  readonly key: { readonly secretKey: string; readonly passphrase: string } | null;
};

export type WrittenBackup = {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
  readonly fileBytes: number;
};

/**
 * Writes a consistent backup of a database in use: everything is read in one snapshot, a part at a
 * time. The file appears under its name when it is whole and on disk. An existing one is never
 * replaced.
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const path = resolve(options.path);
  requireNew(path);
  // Another backup to the same name may be running.
  const partial = `${path}.${newId()}.partial`;
  const file = await openNew(partial);
  try {
    const written = await writeTo(file, options);
    await file.sync();
    requireNew(path);
    renameSync(partial, path);
    syncFolder(dirname(path));
    return written;
  } catch (error) {
    rmSync(partial, { force: true });
    if (errorCode(error) === "ENOSPC")
      throw new StartError(`The disk that ${path} is on is full: free some space.`);
    throw error;
  } finally {
    await file.close();
  }
}

function requireNew(path: string): void {
  if (existsSync(path)) throw new StartError(`${path} exists already: choose another name.`);
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    throw new StartError(
      `${path} can't be written (${errorCode(error)}): choose a folder that the user who runs Catchment can write to.`,
    );
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

async function writeTo(file: FileHandle, options: BackupOptions): Promise<WrittenBackup> {
  const { client, now, key } = options;
  const archive = new TarWriter(file, now);
  await client.query(copySettings);
  const names = await listTables(client);
  if (!names.includes("seal_check"))
    throw new StartError("The database has no tables yet: there is nothing to back up.");
  await client.query("begin isolation level repeatable read read only");
  try {
    await lockTables(client, names);
    const header = await describeDatabase(client, now);
    if (key !== null) requireKeyOf(header, key.secretKey);
    await archive.add(headerName, toJson(header));
    const tables: BackupManifest["tables"] = [];
    for (const table of header.tables) tables.push(await writeTable(archive, client, table));
    if (key !== null)
      await archive.add(
        keyName,
        toJson(await encryptWithPassphrase(key.secretKey, key.passphrase)),
      );
    const manifest = { sha256: archive.digest(), tables };
    await archive.add(manifestName, toJson(manifest));
    return { header, manifest, fileBytes: await archive.end() };
  } finally {
    await client.query("rollback").catch(() => {});
  }
}

/** While a rotation is in progress, a backup would need both keys. */
function requireKeyOf({ sealKeyId }: BackupHeader, secretKey: string): void {
  if (sealKeyId === null || sealKeyId === deriveSealKey(secretKey).id) return;
  throw new StartError(
    "The secret key isn't the one that sealed this database: finish rotate-key first, or correct CATCHMENT_SECRET_KEY.",
  );
}

type Table = BackupHeader["tables"][number];

/** Rows may cross parts: a part ends after this many bytes of COPY text. */
const partBytes = 4 * 1024 * 1024;

async function writeTable(
  archive: TarWriter,
  client: Client,
  { name, columns }: Table,
): Promise<BackupManifest["tables"][number]> {
  const list = columns.map(quoteName).join(", ");
  // A table with partitions can only be copied as a query.
  const copy = client.query(
    copyTo(`copy (select ${list} from ${quoteName(name)}) to stdout (encoding 'UTF8')`),
  );
  const hash = createHash("sha256");
  let [bytes, parts] = [0, 0];
  for await (const part of splitIntoParts(copy)) {
    hash.update(part);
    bytes += part.length;
    parts += 1;
    await archive.add(partName(name, parts), await compress(part, { level: 1 }));
  }
  return { name, rows: copy.rowCount, bytes, sha256: hash.digest("hex") };
}

const compress = promisify<Buffer, { level: number }, Buffer>(gzip);

async function* splitIntoParts(source: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size < partBytes) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}

function toJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
