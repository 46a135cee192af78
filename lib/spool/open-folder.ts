import { mkdir, readdir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { FolderLock } from "./lock-folder.ts";
import { findLeft, type Segment } from "./segment.ts";
import { setAsideFolder } from "./set-aside.ts";
import type { SpoolIdentity } from "./spool.ts";
import { readFolderId, takeWriterFolders, type WriterFolder } from "./writer-folders.ts";

export type OpenedFolder = {
  readonly own: WriterFolder;
  readonly locks: FolderLock[];
  readonly segments: Segment[];
  readonly aside: readonly string[];
  readonly identity: SpoolIdentity;
};

/** Reads nothing of what waits, which may be gigabytes on a slow disk: the port is closed meanwhile. */
export async function openFolder(folder: string): Promise<OpenedFolder> {
  const aside = await listAside(folder);
  const [own, ...others] = await takeWriterFolders(folder);
  const segments: Segment[] = [];
  for (const { files } of [...others, own])
    for (const file of files) {
      const segment = await findLeft(file);
      if (segment === null) await unlink(file);
      else segments.push(segment);
    }
  const locks = [own, ...others].map(({ lock }) => lock);
  const takenOver = others.map(({ path }) => basename(path));
  const place = { spool: await readFolderId(folder), host: hostname() };
  const identity = { ...place, writer: basename(own.path), takenOver };
  return { own, locks, segments, aside, identity };
}

/** A name that ends with `.new` isn't whole yet. */
export async function listAside(folder: string): Promise<readonly string[]> {
  const names = await readdir(await makeAside(folder));
  return names.filter((name) => !name.endsWith(".new")).sort();
}

/** The folder of what was set aside, which someone may have deleted with what was in it. */
export async function makeAside(folder: string): Promise<string> {
  const path = join(folder, setAsideFolder);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}
