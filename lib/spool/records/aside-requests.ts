import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#lib/base/errors.ts";

/**
 * Asks for a delivery to be set aside that the database can't store now, and that holds up all behind
 * it. The request is a file of the spool's folder on this machine. It counts once this machine has
 * tried to store the delivery again.
 */
export async function requestAside(folder: string, deliveryId: string): Promise<void> {
  try {
    // Root writes through no link that another user has made.
    await writeFile(toRequest(folder, deliveryId), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** The requests of this machine's operator. */
export class AsideRequests {
  readonly #folder: string;
  readonly #done = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(deliveryId: string): boolean {
    return existsSync(toRequest(this.#folder, deliveryId));
  }

  /** Call it for what was set aside. Until its batch is removed, it may be tried again. */
  done(deliveryId: string): void {
    this.#done.add(deliveryId);
  }

  /** Removes the requests that are done. One that can't be removed means nothing: no other delivery has its id. */
  async end(): Promise<void> {
    for (const id of this.#done)
      await rm(toRequest(this.#folder, id), { force: true }).catch(ignore);
    this.#done.clear();
  }
}

function toRequest(folder: string, deliveryId: string): string {
  return join(folder, `${deliveryId}.to-set-aside`);
}

function ignore(): void {}
