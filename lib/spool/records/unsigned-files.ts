import { link, readdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { spoolUpgradePlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";

const contentSchema = z.object({
  /** When this folder was first used by a version that signs records, in Unix milliseconds. */
  atMs: z.number(),
  /** False: no version before it has used this folder. */
  isUpgrade: z.boolean(),
  /** The size of each file that was there, by its path in the folder. */
  files: z.record(z.string(), z.number()),
});

/** Machines that share a broker aren't all updated in the same minute. */
const messagesMs = 24 * 60 * 60 * 1_000;

/**
 * Records without a signature that are trusted: those that an earlier version has left. Their files are
 * listed at the first start of this version, when the owner of the folder has been checked, and the
 * list is sealed. Messages of a broker have no such list, so they are trusted for a day after that.
 */
export class UnsignedFiles {
  readonly #content: z.infer<typeof contentSchema>;

  private constructor(content: z.infer<typeof contentSchema>) {
    this.#content = content;
  }

  /** @param isUpgrade whether an earlier version has used the folder, if no list says so */
  static async open(folder: string, sealer: Sealer, isUpgrade: boolean): Promise<UnsignedFiles> {
    const known = await UnsignedFiles.read(folder, sealer);
    if (known !== null) return known;
    const content = { atMs: Date.now(), isUpgrade, files: await listFiles(folder) };
    await write(folder, sealer, content, link);
    // Another process may have written it first.
    return (await UnsignedFiles.read(folder, sealer)) ?? new UnsignedFiles(nothing);
  }

  /** Null: there is no list. One that can't be opened trusts nothing. */
  static async read(folder: string, sealer: Sealer): Promise<UnsignedFiles | null> {
    const sealed = await readList(folder);
    if (sealed === null) return null;
    const opened = sealer.open(sealed, spoolUpgradePlace());
    if (!opened.ok) {
      log.warn("spool.list_not_read", { file: join(folder, listName), reason: opened.code });
      return new UnsignedFiles(nothing);
    }
    const content = contentSchema.parse(JSON.parse(Buffer.from(opened.plaintext).toString()));
    if (!sealer.isSealedWithCurrentKey(sealed)) await write(folder, sealer, content, rename);
    return new UnsignedFiles(content);
  }

  /** How many bytes at the beginning of a file are trusted. */
  trustedBytes(path: string): number {
    return this.#content.files[path] ?? 0;
  }

  trustsMessages(nowMs: number): boolean {
    const { isUpgrade, atMs } = this.#content;
    return isUpgrade && nowMs >= atMs && nowMs < atMs + messagesMs;
  }
}

const nothing = { atMs: 0, isUpgrade: false, files: {} };
const listName = "signed-since";

async function readList(folder: string): Promise<Buffer | null> {
  try {
    return await readFile(join(folder, listName));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** @param place `link` doesn't replace one that is there */
async function write(
  folder: string,
  sealer: Sealer,
  content: z.infer<typeof contentSchema>,
  place: typeof link,
): Promise<void> {
  const draft = join(folder, `${listName}.${newId()}.new`);
  const sealed = sealer.seal(Buffer.from(JSON.stringify(content)), spoolUpgradePlace());
  await writeFile(draft, sealed, { mode: 0o600, flush: true });
  try {
    await place(draft, join(folder, listName));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  await unlink(draft).catch(() => {});
}

async function listFiles(folder: string): Promise<Record<string, number>> {
  const files: Record<string, number> = {};
  for (const name of await readdir(folder)) {
    if (!/^(writer-\d+|set-aside)$/.test(name)) continue;
    for (const file of await readdir(join(folder, name)))
      if (/\.(spool|damaged)$/.test(file))
        files[`${name}/${file}`] = (await stat(join(folder, name, file))).size;
  }
  return files;
}
