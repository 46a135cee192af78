import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { CatchUrl } from "#lib/db/hooks/catch-hook.ts";
import { type CatchHook, toCatchHook } from "#lib/evaluate/catch-hook.ts";
import type { KeptHooks } from "#lib/spool/kept-hooks.ts";

export type HookFallbackOptions = {
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

  constructor(options: HookFallbackOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#options.isAway();
  }

  /** Null: the hook isn't kept. */
  async find(url: CatchUrl): Promise<CatchHook | null> {
    const { kept, sealer, now } = this.#options;
    const key = `${url.accountSlug}/${url.hookKey}`;
    const known = this.#prepared.get(key);
    if (known !== undefined && known.validUntilMs > now()) return known;
    const row = await kept.find(url);
    if (row === null) return null;
    const hook = toCatchHook(row, sealer, now());
    if (this.#prepared.size >= maxPrepared) this.#prepared.clear();
    this.#prepared.set(key, hook);
    return hook;
  }

  /** Call it when the database has told of a change, and before it is asked for everything. */
  clear(): void {
    this.#prepared = new Map();
  }
}

const maxPrepared = 10_000;
