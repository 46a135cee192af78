import { link, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { type FolderLock, tryLockFolder } from "./lock-folder.ts";
import { segmentEnd, syncFolder } from "./segment.ts";

/** A folder of files that one process writes. */
export type WriterFolder = {
  readonly path: string;
  readonly lock: FolderLock;
  /** Its files, oldest first. */
  readonly files: readonly string[];
};

/**
 * Takes a folder for this process, and those that dead processes left with files. One that another
 * process has is locked, and left alone.
 *
 * @returns its own folder first
 */
export async function takeWriterFolders(
  folder: string,
): Promise<readonly [WriterFolder, ...WriterFolder[]]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const taken: WriterFolder[] = [];
  for (const name of await listWriters(folder)) {
    const writer = await tryTake(join(folder, name));
    if (writer === null) continue;
    if (taken.length === 0 || writer.files.length > 0) taken.push(writer);
    else writer.lock.release();
  }
  const [own, ...others] = taken;
  return own === undefined ? [await takeNew(folder)] : [own, ...others];
}

/** The folder's id, which it keeps. Of several processes that make it, one wins. */
export async function readFolderId(folder: string): Promise<string> {
  const path = join(folder, "id");
  const draft = join(folder, `id.${newId()}.new`);
  await writeFile(draft, `${newId()}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  await unlink(draft);
  return (await readFile(path, "utf8")).trim();
}

async function listWriters(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^writer-\d+$/.test(name)).sort(byNumber);
}

async function listSegments(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(segmentEnd))
    .sort()
    .map((name) => join(folder, name));
}

async function takeNew(folder: string): Promise<WriterFolder> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `writer-${number}`);
    await mkdir(path, { recursive: true, mode: 0o700 });
    await syncFolder(folder);
    const writer = await tryTake(path);
    if (writer !== null) return writer;
  }
}

async function tryTake(path: string): Promise<WriterFolder | null> {
  const lock = tryLockFolder(path);
  return lock === null ? null : { path, lock, files: await listSegments(path) };
}

function byNumber(one: string, other: string): number {
  return Number(one.slice(7)) - Number(other.slice(7));
}
