import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { keptHookPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { CatchHookRow, CatchUrl } from "#lib/db/hooks/catch-hook.ts";
import { fromKept, type KeptRow, toKept } from "./kept-row.ts";

type KeptHooksOptions = {
  readonly folder: string;
  readonly sealer: Sealer;
  readonly now: () => number;
};

type Known = { readonly url: CatchUrl; readonly hookId: string; readonly digest: string };
type Content = { readonly version: 1; readonly url: CatchUrl; readonly row: KeptRow };

type Read =
  | { readonly kind: "kept"; readonly content: Content }
  /** There is no file. */
  | { readonly kind: "gone" }
  /** Not now, or not by this process. */
  | { readonly kind: "unreadable"; readonly reason: string }
  /** By no process. */
  | { readonly kind: "damaged"; readonly reason: string };

/**
 * The hooks of this installation as the database last told them, each in a sealed file. A process
 * that starts while the database is away verifies with them.
 */
export class KeptHooks {
  readonly #options: KeptHooksOptions;
  readonly #known = new Map<string, Known>();
  /** Files that couldn't be read when hooks were asked for again, so they may be old. */
  readonly #unchecked = new Set<string>();
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

  /** Null: the hook isn't kept, can't be read, or its URL has expired since. */
  async find(url: CatchUrl): Promise<CatchHookRow | null> {
    const name = toName(url);
    const read = await this.#read(name);
    if (read.kind !== "kept" || this.#unchecked.has(name)) return null;
    return fromKept(read.content.row, this.#options.now());
  }

  /** Removes a hook that has changed. @returns its URLs, to ask for it again */
  forget(hookId: string): readonly CatchUrl[] {
    const changed = [...this.#known].filter(([, known]) => known.hookId === hookId);
    for (const [name] of changed) this.#remove(name);
    return changed.map(([, { url }]) => url);
  }

  /**
   * The URLs of all hooks, to ask for them again: they may have changed unnoticed. What can't be read
   * isn't used before the database has told it. Only what no process can ever read is removed.
   */
  async list(): Promise<readonly CatchUrl[]> {
    const urls: CatchUrl[] = [];
    for (const name of await readdir(this.#options.folder)) {
      if (name.endsWith(".new")) continue;
      const read = name.endsWith(".hook") ? await this.#read(name) : foreign;
      const url = read.kind === "kept" ? this.#learn(name, read.content) : this.#doubt(name, read);
      if (url !== null) urls.push(url);
      if (read.kind === "damaged") await unlink(join(this.#options.folder, name)).catch(ignore);
    }
    return urls;
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  #learn(name: string, { url, row }: Content): CatchUrl {
    if (!this.#known.has(name)) this.#known.set(name, { url, hookId: row.id, digest: "" });
    return url;
  }

  /** Lets the database's next answer be written, even if it is the same. Null: whose file is unknown. */
  #doubt(name: string, read: Exclude<Read, { kind: "kept" }>): CatchUrl | null {
    if (read.kind !== "gone") log.warn("spool.hook_not_read", { name, reason: read.reason });
    if (read.kind === "unreadable") this.#unchecked.add(name);
    const known = this.#known.get(name);
    if (known === undefined) return null;
    this.#known.set(name, { ...known, digest: "" });
    return known.url;
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
      this.#unchecked.delete(name);
    });
  }

  #remove(name: string): void {
    if (!this.#known.delete(name) && !this.#unchecked.has(name)) return;
    this.#change(() => unlink(join(this.#options.folder, name)));
  }

  #change(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch((error) => {
      if (errorCode(error) !== "ENOENT") log.warn("spool.hook_not_kept", { error: toError(error) });
    });
  }

  async #read(name: string): Promise<Read> {
    await this.#writing;
    try {
      const file = await readFile(join(this.#options.folder, name));
      const opened = this.#options.sealer.open(file, keptHookPlace(name));
      if (opened.ok)
        return { kind: "kept", content: JSON.parse(Buffer.from(opened.plaintext).toString()) };
      // Another process may have the key, as while it is replaced.
      const kind = opened.code === "unknown_key" ? "unreadable" : "damaged";
      return { kind, reason: opened.code };
    } catch (error) {
      const code = errorCode(error);
      return code === "ENOENT"
        ? { kind: "gone" }
        : { kind: "unreadable", reason: code ?? "unknown" };
    }
  }
}

const foreign = { kind: "damaged", reason: "foreign" } as const;

function toName({ accountSlug, hookKey }: CatchUrl): string {
  const hash = createHash("sha256").update(`${accountSlug}/${hookKey}`).digest("hex");
  return `${hash}.hook`;
}

function ignore(): void {}
