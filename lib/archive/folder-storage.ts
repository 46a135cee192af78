import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { ArchiveError, type ArchiveStorage } from "./storage.ts";

/** Archives in a folder, which has to exist: a disk that isn't mounted mustn't go unnoticed. */
export function openFolder(root: string): ArchiveStorage {
  return {
    put: (name, bytes) => explain("written", () => writeWhole(root, name, bytes)),
    get: (name) => explain("read", () => orNull(() => readWhole(join(root, name), name))),
    remove: (name) => explain("written", () => rm(join(root, name), { force: true })),
    list: (folder) => explain("read", () => listFiles(join(root, folder))),
    listFolders: () =>
      explain("read", async () => {
        const entries = await readdir(root, { withFileTypes: true });
        return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      }),
    close: async () => {},
  };
}

/** The largest file is a row with a body of the largest size. The same as an object of a bucket. */
const maxFileBytes = 1024 ** 3;

async function readWhole(path: string, name: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > maxFileBytes)
      throw new ArchiveError(`${name} is larger than any file of an archive.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Under its name once every byte is on the disk. */
async function writeWhole(root: string, name: string, bytes: Buffer): Promise<void> {
  await makeFolders(root, posix.dirname(name));
  const path = join(root, name);
  const partial = `${path}.partial`;
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  await syncFolder(dirname(path));
}

/** Below the root. `recursive` would make the root too. */
async function makeFolders(root: string, folder: string): Promise<void> {
  let path = root;
  for (const part of folder.split("/").filter((name) => name !== ".")) {
    const parent = path;
    path = join(path, part);
    try {
      await mkdir(path, { mode: 0o700 });
      await syncFolder(parent);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await orNull(() => readdir(path, { recursive: true, withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));
}

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function explain<Value>(what: "read" | "written", run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new ArchiveError(`The disk of the archive's folder is full (${code}).`);
    throw new ArchiveError(`The archive's folder can't be ${what} (${code}).`);
  }
}
