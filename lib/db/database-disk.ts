import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";

export type DatabaseDiskOptions = {
  /** Any folder of the file system that holds the embedded database. */
  readonly folder: string;
  /** With less than this, in bytes, nothing more is taken in. On a small disk 5 % of it is enough. */
  readonly minFreeBytes: number;
};

/** What `statfs(2)` tells: blocks that an ordinary user may still fill, of all, and their size in bytes. */
type Blocks = { readonly bavail: number; readonly blocks: number; readonly bsize: number };

const lookEveryMs = 1_000;

/**
 * Watches the disk under the embedded PostgreSQL. A database whose disk is full stops, and can't even delete what is old: so intake
 * stops before, while there is room to work off what was accepted and to remove what retention allows. Looks once a
 * second; the answer in between costs nothing.
 */
export class DatabaseDisk {
  readonly #options: DatabaseDiskOptions;
  readonly #timer: NodeJS.Timeout;
  #isLow: boolean;

  constructor(options: DatabaseDiskOptions) {
    this.#options = options;
    this.#isLow = isLow(statfsSync(options.folder), options.minFreeBytes);
    if (this.#isLow) this.#tell();
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
    this.#timer.unref();
  }

  isLow(): boolean {
    return this.#isLow;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      const low = isLow(await statfs(this.#options.folder), this.#options.minFreeBytes);
      if (low === this.#isLow) return;
      this.#isLow = low;
      this.#tell();
    } catch (error) {
      // A folder that can't be asked about says nothing about its space: the database itself will tell.
      log.warn("disk.not_read", { error: toError(error) });
    }
  }

  #tell(): void {
    const { folder, minFreeBytes } = this.#options;
    if (this.#isLow) log.error("disk.low", { folder, minFreeBytes });
    else log.info("disk.enough", { folder });
  }
}

/** Null where `folder` is not known: with a database of one's own, whose disk we can't see. */
export function openDatabaseDisk(folder: string | undefined, minFreeBytes: number): DatabaseDisk | null {
  return folder === undefined ? null : new DatabaseDisk({ folder, minFreeBytes });
}

function isLow({ bavail, blocks, bsize }: Blocks, minFreeBytes: number): boolean {
  return bavail * bsize < Math.min(minFreeBytes, blocks * bsize * 0.05);
}
