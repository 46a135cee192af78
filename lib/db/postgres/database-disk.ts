import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { diskReserve } from "#lib/core/watch/disk-reserve.ts";

type DatabaseDiskOptions = {
  /** Any folder on the file system of the embedded database. */
  readonly folder: string;
  /** Below this many bytes, new deliveries are rejected. On a small disk, 5 % of it is enough. */
  readonly minFreeBytes: number;
};

/**
 * The result of `statfs(2)`: blocks available to an ordinary user, blocks in all, and their size in
 * bytes.
 */
type Blocks = { readonly bavail: number; readonly blocks: number; readonly bsize: number };

const checkEveryMs = 1_000;

/**
 * Watches the disk under the embedded PostgreSQL. A database whose disk is full stops, and can't
 * even delete old rows. So intake stops earlier, while there is room to finish accepted deliveries
 * and to apply retention. Checks once a second; reading the result in between costs nothing.
 */
export class DatabaseDisk {
  readonly #options: DatabaseDiskOptions;
  readonly #timer: NodeJS.Timeout;
  #isLow: boolean;

  constructor(options: DatabaseDiskOptions) {
    this.#options = options;
    this.#isLow = isLow(statfsSync(options.folder), options.minFreeBytes);
    if (this.#isLow) this.#tell();
    this.#timer = setInterval(() => void this.#look(), checkEveryMs);
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
      // An unreadable folder says nothing about free space. The database itself will report a full
      // disk.
      log.warn("disk.not_read", { error: toError(error) });
    }
  }

  #tell(): void {
    const { folder, minFreeBytes } = this.#options;
    if (this.#isLow) log.error("disk.low", { folder, minFreeBytes });
    else log.info("disk.enough", { folder });
  }
}

/** Null if `folder` is unknown: with an external database, whose disk we can't see. */
export function openDatabaseDisk(
  folder: string | undefined,
  minFreeBytes: number,
): DatabaseDisk | null {
  return folder === undefined ? null : new DatabaseDisk({ folder, minFreeBytes });
}

function isLow({ bavail, blocks, bsize }: Blocks, minFreeBytes: number): boolean {
  return bavail * bsize < diskReserve(minFreeBytes, blocks * bsize);
}
