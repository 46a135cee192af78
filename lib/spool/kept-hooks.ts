import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keptHookPlace } from "#lib/core/seal/seal-places.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { CatchHookRow, CatchUrl } from "#lib/db/hooks/catch-hook.ts";
import { errorCode, toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { fromKept, type KeptRow, toKept } from "./kept-row.ts";

export type KeptHooksOptions = {
  readonly folder: string;
  readonly sealer: Sealer;
  readonly now: () => number;
};

type Known = { readonly url: CatchUrl; readonly hookId: string; readonly digest: string };
type Content = { readonly version: 1; readonly url: CatchUrl; readonly row: KeptRow };

/**
 * The hooks of this installation as the database last told them, each in a sealed file. A process
 * that starts while the database is away verifies with them.
 */
export class KeptHooks {
  readonly #options: KeptHooksOptions;
  readonly #known = new Map<string, Known>();
  /** Changes of files, one after the other. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(options: KeptHooksOptions) {
    this.#options = options;
  }

  static async open(options: KeptHooksOptions): Promise<KeptHooks> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    return new KeptHooks(options);
  }

  /** Keeps what the database has told. Null: there is no such hook (any more). */
  record(urls: readonly CatchUrl[], rows: readonly (CatchHookRow | null)[]): void {
    for (const [index, url] of urls.entries()) {
      const row = rows[index] ?? null;
      // Until it has a secret, it is asked for with each delivery.
      if (row === null || row.pending !== null) this.#remove(toName(url));
      else this.#keep(url, toKept(row, this.#options.now()));
    }
  }

  /** Null: the hook isn't kept, or its URL has expired since. */
  async find(url: CatchUrl): Promise<CatchHookRow | null> {
    const content = await this.#read(toName(url));
    return content === null ? null : fromKept(content.row, this.#options.now());
  }

  /** Removes a hook that has changed. @returns its URLs, to ask for it again */
  forget(hookId: string): readonly CatchUrl[] {
    const changed = [...this.#known].filter(([, known]) => known.hookId === hookId);
    for (const [name] of changed) this.#remove(name);
    return changed.map(([, { url }]) => url);
  }

  /** The URLs of all hooks, to ask for them again: they may have changed unnoticed. */
  async list(): Promise<readonly CatchUrl[]> {
    const urls: CatchUrl[] = [];
    for (const name of await readdir(this.#options.folder)) {
      const content = name.endsWith(".hook") ? await this.#read(name) : null;
      if (content === null) {
        if (!name.endsWith(".new")) await unlink(join(this.#options.folder, name)).catch(ignore);
        continue;
      }
      const { url, row } = content;
      urls.push(url);
      if (!this.#known.has(name)) this.#known.set(name, { url, hookId: row.id, digest: "" });
    }
    return urls;
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  #keep(url: CatchUrl, row: KeptRow): void {
    const name = toName(url);
    const digest = createHash("sha256").update(JSON.stringify(row)).digest("base64");
    if (this.#known.get(name)?.digest === digest) return;
    this.#known.set(name, { url, hookId: row.id, digest });
    this.#change(async () => {
      const content: Content = { version: 1, url, row };
      const sealed = this.#options.sealer.seal(
        Buffer.from(JSON.stringify(content)),
        keptHookPlace(name),
      );
      const path = join(this.#options.folder, name);
      const draft = `${path}.${process.pid}.new`;
      await writeFile(draft, sealed, { mode: 0o600, flush: true });
      await rename(draft, path);
    });
  }

  #remove(name: string): void {
    if (!this.#known.delete(name)) return;
    this.#change(() => unlink(join(this.#options.folder, name)));
  }

  #change(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch((error) => {
      if (errorCode(error) !== "ENOENT") log.warn("spool.hook_not_kept", { error: toError(error) });
    });
  }

  /** Null: there is none, or it was sealed with another key. */
  async #read(name: string): Promise<Content | null> {
    await this.#writing;
    const file = await readFile(join(this.#options.folder, name)).catch(() => null);
    if (file === null) return null;
    const opened = this.#options.sealer.open(file, keptHookPlace(name));
    return opened.ok ? (JSON.parse(Buffer.from(opened.plaintext).toString()) as Content) : null;
  }
}

function toName({ accountSlug, hookKey }: CatchUrl): string {
  const hash = createHash("sha256").update(`${accountSlug}/${hookKey}`).digest("hex");
  return `${hash}.hook`;
}

function ignore(): void {}
