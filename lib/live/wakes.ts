import { log } from "#lib/base/log.ts";

type WakesOptions = {
  /** The last position of each of these accounts: there is something new once it has changed. */
  readonly readPositions: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, bigint>>;
  readonly everyMs?: number;
};

/** Waits of one reader. */
export type Waiter = {
  /**
   * Resolves with true once there may be something new, and otherwise after `maxMs` or when the signal
   * is aborted.
   */
  wait(maxMs: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
};

type Watched = { readonly accountId: string; readonly key: string; readonly wake: () => void };

/**
 * Wakes those that wait for deliveries. While there are any, it looks once every 100 ms, for all of
 * them together, so that nothing has to be sent when a delivery is stored.
 */
export class Wakes {
  readonly #options: Required<WakesOptions>;
  readonly #watched = new Set<Watched>();
  readonly #positions = new Map<string, bigint>();
  #isLooking = false;

  constructor({ everyMs = 100, ...options }: WakesOptions) {
    this.#options = { everyMs, ...options };
  }

  /** @param key what `wake` names */
  watch(accountId: string, key: string): Waiter {
    let isWoken = false;
    let end: (() => void) | undefined;
    const watched: Watched = {
      accountId,
      key,
      wake: () => {
        isWoken = true;
        end?.();
      },
    };
    this.#watched.add(watched);
    this.#look();
    return {
      wait: (maxMs, signal) =>
        new Promise((resolve) => {
          const finish = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", finish);
            end = undefined;
            const hasNew = isWoken;
            isWoken = false;
            resolve(hasNew);
          };
          const timer = setTimeout(finish, maxMs);
          signal.addEventListener("abort", finish);
          end = finish;
          // What came since the last wait.
          if (isWoken || signal.aborted) finish();
        }),
      stop: () => {
        this.#watched.delete(watched);
        end?.();
      },
    };
  }

  /** Wakes those with this key: they may have room again. */
  wake(key: string): void {
    for (const watched of this.#watched) if (watched.key === key) watched.wake();
  }

  #look(): void {
    if (this.#isLooking || this.#watched.size === 0) return;
    this.#isLooking = true;
    const timer = setTimeout(async () => {
      await this.#lookOnce().catch((error) => {
        log.warn("live.wake_failed", { error: String(error) });
      });
      this.#isLooking = false;
      this.#look();
    }, this.#options.everyMs);
    timer.unref();
  }

  async #lookOnce(): Promise<void> {
    if (this.#watched.size === 0) return;
    const accountIds = [...new Set([...this.#watched].map(({ accountId }) => accountId))];
    const positions = await this.#options.readPositions(accountIds);
    for (const accountId of this.#positions.keys())
      if (!accountIds.includes(accountId)) this.#positions.delete(accountId);
    const changed = new Set<string>();
    for (const [accountId, position] of positions) {
      if (this.#positions.get(accountId) === position) continue;
      this.#positions.set(accountId, position);
      changed.add(accountId);
    }
    for (const watched of this.#watched) if (changed.has(watched.accountId)) watched.wake();
  }
}
