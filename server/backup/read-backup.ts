import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { z } from "zod";
import { errorCode } from "#lib/base/errors.ts";
import { decryptWithPassphrase, passphraseBoxSchema } from "#lib/core/people/seal/passphrase.ts";
import { errorMessage, StartError } from "#server/system/start-error.ts";
import {
  type BackupHeader,
  type BackupManifest,
  backupHeaderSchema,
  backupManifestSchema,
  headerName,
  keyName,
  manifestName,
  tableOfPart,
} from "./format.ts";
import { readTar, type TarEntry } from "./tar.ts";

/** Opens a backup, calls `use`, and closes it. Damage is reported in one sentence. */
export async function withBackup<T>(
  path: string,
  use: (backup: BackupFile) => Promise<T>,
): Promise<T> {
  const file = await openFile(path);
  try {
    return await use(await BackupFile.open(file, path));
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    throw new StartError(
      `${path} can't be read (${errorCode(error)}): correct its name or rights.`,
    );
  }
}

export class BackupFile {
  readonly header: BackupHeader;
  readonly #file: FileHandle;
  readonly #path: string;

  private constructor(file: FileHandle, path: string, header: BackupHeader) {
    this.#file = file;
    this.#path = path;
    this.header = header;
  }

  static async open(file: FileHandle, path: string): Promise<BackupFile> {
    for await (const entry of readEntries(file, path)) {
      if (entry.name !== headerName) throw notABackup(path, "It doesn't begin with a header.");
      return new BackupFile(file, path, parseJson(path, entry, backupHeaderSchema));
    }
    throw notABackup(path, "It is empty.");
  }

  /**
   * Calls `loadTable` with each table in the order of the header, and checks every byte against the
   * manifest. If it throws, nothing that `loadTable` got may be kept.
   *
   * @returns the manifest, and the number of rows that `loadTable` reported, which has to match
   */
  async readTables(
    loadTable: (
      table: BackupHeader["tables"][number],
      parts: AsyncIterable<Buffer>,
    ) => Promise<number>,
  ): Promise<BackupManifest> {
    const path = this.#path;
    const entries = new EntryCursor(readEntries(this.#file, path));
    await entries.skip(headerName);
    const found = new Map<string, FoundTable>();
    for (const table of this.header.tables) {
      const text: FoundTable = { hash: createHash("sha256"), bytes: 0, rows: 0 };
      text.rows = await loadTable(table, readParts(path, entries, table.name, text));
      found.set(table.name, text);
    }
    await entries.skip(keyName);
    const last = await entries.peek();
    if (last?.name !== manifestName) throw notABackup(path, "It has no manifest.");
    const manifest = parseJson(path, last, backupManifestSchema);
    if (manifest.sha256 !== last.digestBefore) throw notABackup(path, "It was changed.");
    requireSame(path, manifest, found);
    return manifest;
  }

  /** Null: it has no key. Throws a `StartError` if the passphrase is wrong. */
  async readKey(passphrase: string): Promise<string | null> {
    for await (const entry of readEntries(this.#file, this.#path)) {
      if (entry.name !== keyName) continue;
      const box = parseJson(this.#path, entry, passphraseBoxSchema);
      const key = await decryptWithPassphrase(box, passphrase);
      if (key === null)
        throw new StartError("The passphrase doesn't open the secret key in this backup.");
      return key;
    }
    return null;
  }
}

type FoundTable = { readonly hash: Hash; bytes: number; rows: number };

function requireSame(
  path: string,
  manifest: BackupManifest,
  found: ReadonlyMap<string, FoundTable>,
): void {
  if (manifest.tables.length !== found.size)
    throw notABackup(path, "Its manifest lists other tables.");
  for (const { name, rows, bytes, sha256 } of manifest.tables) {
    const table = found.get(name);
    if (table === undefined || table.bytes !== bytes || table.hash.digest("hex") !== sha256)
      throw notABackup(path, `The rows of ${name} aren't those that were written.`);
    if (table.rows !== rows)
      throw notABackup(path, `${name} has ${table.rows} rows, and ${rows} were written.`);
  }
}

async function* readEntries(file: FileHandle, path: string): AsyncGenerator<TarEntry> {
  try {
    yield* readTar(file);
  } catch (error) {
    throw notABackup(path, errorMessage(error));
  }
}

/** Looks at the next entry before it is taken. */
class EntryCursor {
  readonly #entries: AsyncGenerator<TarEntry>;
  #next: TarEntry | null | undefined;

  constructor(entries: AsyncGenerator<TarEntry>) {
    this.#entries = entries;
  }

  /** Null: the archive has ended. */
  async peek(): Promise<TarEntry | null> {
    if (this.#next !== undefined) return this.#next;
    const result = await this.#entries.next();
    this.#next = result.done === true ? null : result.value;
    return this.#next;
  }

  take(): void {
    this.#next = undefined;
  }

  async skip(name: string): Promise<void> {
    if ((await this.peek())?.name === name) this.take();
  }
}

async function* readParts(
  path: string,
  entries: EntryCursor,
  table: string,
  found: FoundTable,
): AsyncGenerator<Buffer> {
  while (true) {
    const entry = await entries.peek();
    if (entry === null || tableOfPart(entry.name) !== table) return;
    const text = await decompress(path, entry);
    entries.take();
    found.hash.update(text);
    found.bytes += text.length;
    yield text;
  }
}

const maxPartBytes = 64 * 1024 * 1024;

async function decompress(path: string, { name, bytes }: TarEntry): Promise<Buffer> {
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)(bytes, {
      maxOutputLength: maxPartBytes,
    });
  } catch {
    throw notABackup(path, `${name} is damaged.`);
  }
}

function parseJson<Schema extends z.ZodType>(
  path: string,
  { name, bytes }: TarEntry,
  schema: Schema,
): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw notABackup(path, `Its ${name} isn't one of this version.`);
  }
}

function notABackup(path: string, reason: string): StartError {
  return new StartError(`${path} isn't a whole backup. ${reason} Use another one.`);
}
