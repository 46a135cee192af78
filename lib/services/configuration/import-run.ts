import { AppError } from "#lib/base/errors.ts";
import type { Configuration, ConfigurationSecrets } from "#lib/schema/configuration.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { AccountItems } from "./read-items.ts";

export type ImportError = { readonly path: string; readonly message: string };

export type ImportReport = {
  readonly added: readonly string[];
  /** With the fields that differ. */
  readonly changed: readonly string[];
  readonly unchangedCount: number;
  /** The things that the account has and the file doesn't. They stay. */
  readonly kept: readonly string[];
  /** The steps that a person still has to take. */
  readonly toDo: readonly string[];
};

const maxErrors = 50;

/** An item refers to one that couldn't be imported, whose error says why. */
class DependentError extends Error {}

type Kind = "credential" | "destination" | "alert channel";

/** The state of one import: what it works on, what it did, and what was wrong. */
export class ImportRun {
  readonly context: ServiceContext;
  readonly file: Configuration;
  /** Null: the file has none. */
  readonly secrets: ConfigurationSecrets | null;
  /** The account's own secrets, to compare them. */
  readonly stored: ConfigurationSecrets;
  readonly before: AccountItems;
  readonly keepsCatchUrls: boolean;
  readonly errors: ImportError[] = [];
  readonly #added: string[] = [];
  readonly #changed: string[] = [];
  readonly #kept: string[] = [];
  readonly #toDo: string[] = [];
  #unchangedCount = 0;
  /** Null: it couldn't be imported. */
  readonly #ids = new Map<string, string | null>();

  constructor(
    context: ServiceContext,
    file: Configuration,
    parts: {
      readonly secrets: ConfigurationSecrets | null;
      readonly stored: ConfigurationSecrets;
      readonly before: AccountItems;
      readonly keepsCatchUrls: boolean;
    },
  ) {
    this.context = context;
    this.file = file;
    this.secrets = parts.secrets;
    this.stored = parts.stored;
    this.before = parts.before;
    this.keepsCatchUrls = parts.keepsCatchUrls;
    for (const { id, ref } of parts.before.credentials) this.setId("credential", ref, id);
    for (const { id, ref } of parts.before.destinations) this.setId("destination", ref, id);
    for (const { id, ref } of parts.before.alertChannels) this.setId("alert channel", ref, id);
  }

  get report(): ImportReport {
    return {
      added: this.#added,
      changed: this.#changed,
      unchangedCount: this.#unchangedCount,
      kept: this.#kept,
      toDo: this.#toDo,
    };
  }

  /** Imports one item. What is wrong with it is collected, so that one import finds everything. */
  async item(path: string, work: () => Promise<void>): Promise<boolean> {
    if (this.errors.length >= maxErrors) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof DependentError) return false;
      if (!(error instanceof AppError)) throw error;
      const found = error.errors ?? [{ path: "", message: error.message }];
      for (const each of found)
        this.errors.push({
          path: [path, each.path].filter((part) => part !== "").join("."),
          message: each.message,
        });
      return false;
    }
  }

  added(what: string): void {
    this.#added.push(what);
  }

  /** Without fields, nothing changed. */
  changed(what: string, fields: readonly string[]): void {
    if (fields.length === 0) this.#unchangedCount += 1;
    else this.#changed.push(`${what}: ${fields.join(", ")}`);
  }

  kept(what: string): void {
    this.#kept.push(what);
  }

  toDo(sentence: string): void {
    this.#toDo.push(sentence);
  }

  setId(kind: Kind, ref: string, id: string | null): void {
    this.#ids.set(`${kind} ${ref}`, id);
  }

  /** From here on, others have to name it by its name in the file. */
  rename(
    kind: Kind,
    { ref, id }: { readonly ref: string; readonly id: string },
    name: string,
  ): void {
    this.#ids.delete(`${kind} ${ref}`);
    this.setId(kind, name, id);
  }

  /** Throws `invalid_request` at the path if neither the file nor the account has it. */
  idOf(kind: Kind, ref: unknown, path: string): string {
    const id = this.#ids.get(`${kind} ${String(ref)}`);
    if (id === null) throw new DependentError();
    if (id !== undefined) return id;
    const message = `there is no ${kind} "${String(ref)}" in this file or in the account`;
    throw new AppError("invalid_request", message, {
      errors: [{ path, code: "not_found", message }],
    });
  }
}

/** Reports what the account has and the file doesn't, which the import leaves alone. */
export function reportKept(
  run: ImportRun,
  what: string,
  known: readonly { readonly ref: string }[],
  given: readonly { readonly ref: string }[],
): void {
  const names = new Set(given.map(({ ref }) => ref));
  for (const { ref } of known) if (!names.has(ref)) run.kept(`${what} "${ref}"`);
}
