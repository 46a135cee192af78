import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { CatchUrl } from "#lib/db/hooks/catch-hook.ts";
import { type CatchHook, toCatchHook } from "#lib/evaluate/catch-hook.ts";
import type { KeptHooks } from "#lib/spool/hooks/kept-hooks.ts";

type HookFallbackOptions = {
  readonly kept: KeptHooks;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** True if the database isn't asked first. */
  readonly isAway: () => boolean;
};

/** Hooks as the database last told them, for the time in which it is away. */
export class HookFallback {
  readonly #options: HookFallbackOptions;
  #prepared = new Map<string, CatchHook>();
  /** Changes whenever what is being read may be old. */
  #generation = 0;

  constructor(options: HookFallbackOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#options.isAway();
  }

  /** Null: the hook isn't kept. */
  async find(url: CatchUrl): Promise<CatchHook | null> {
    const { kept, sealer, now } = this.#options;
    const key = toKey(url);
    const generation = this.#generation;
    const known = this.#prepared.get(key);
    if (known !== undefined && known.validUntilMs > now()) return known;
    const row = await kept.find(url);
    if (row === null) return null;
    const hook = toCatchHook(row, sealer, now());
    if (generation !== this.#generation) return hook;
    if (this.#prepared.size >= maxPrepared) this.#prepared.clear();
    this.#prepared.set(key, hook);
    return hook;
  }

  /** Call it when the database has told of a change, and before it is asked for everything. */
  clear(): void {
    this.#generation += 1;
    this.#prepared = new Map();
  }

  /** Call it when the database has told these hooks, which are kept as they are now. */
  told(urls: readonly CatchUrl[]): void {
    this.#generation += 1;
    for (const url of urls) this.#prepared.delete(toKey(url));
  }
}

function toKey({ accountSlug, hookKey }: CatchUrl): string {
  return `${accountSlug}/${hookKey}`;
}

const maxPrepared = 10_000;
