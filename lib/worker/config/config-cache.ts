import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";

type CacheOptions<Target, Result> = {
  readonly idOf: (target: Target) => string;
  readonly read: (target: Target) => Result;
  readonly max: number;
};

/**
 * Stored actions or subscriptions, parsed. Parsing one costs more than running it, so it is repeated
 * only after a change.
 */
export class ConfigCache<Target extends { readonly version: string }, Result> {
  readonly #options: CacheOptions<Target, Result>;
  readonly #known = new Map<string, { readonly target: Target; readonly result: Result }>();

  constructor(options: CacheOptions<Target, Result>) {
    this.#options = options;
  }

  /** The target in this version, if it was read before. */
  find(id: string, version: string): Target | undefined {
    const known = this.#known.get(id);
    return known?.target.version === version ? known.target : undefined;
  }

  read(target: Target): Result {
    const { idOf, read, max } = this.#options;
    const id = idOf(target);
    const known = this.#known.get(id);
    if (known?.target.version === target.version) return known.result;
    const result = read(target);
    this.#known.delete(id);
    this.#known.set(id, { target, result });
    const [oldest] = this.#known.keys();
    if (this.#known.size > max && oldest !== undefined) this.#known.delete(oldest);
    return result;
  }
}

/** Undefined: the text isn't JSON. */
export function readJson(text: string | null): unknown {
  if (text === null) return null;
  const parsed = parseExactJson(text);
  return parsed.ok ? parsed.value : undefined;
}
