import { log } from "#lib/base/log.ts";

/** Ids of new items, newest first. `isMore`: there are more than these. */
export type FeedUpdates = { readonly ids: readonly string[]; readonly isMore: boolean };

type Watcher<Filter> = {
  readonly accountId: string;
  readonly filter: Filter;
  /** The newest known item. Empty: none. */
  readonly afterId: string;
  readonly onUpdates: (updates: FeedUpdates) => void;
};

export type Feed<Filter> = {
  /**
   * Reports items newer than `afterId` immediately and whenever there are more, until the returned
   * function is called.
   */
  watch(watcher: Watcher<Filter>): () => void;
};

export type FeedSource<Filter> = {
  /** The newest matching items of an account, newest first. */
  readonly readNewest: (
    accountId: string,
    filter: Filter,
    limit: number,
  ) => Promise<readonly { readonly id: string }[]>;
  /** True if older items may start to match. Then the list is checked on every poll. */
  readonly isChanging: (filter: Filter) => boolean;
  readonly matchAll: Filter;
};

const everyMs = 1_000;
/** The longest pause after items couldn't be read. */
const maxPauseMs = 60_000;
/** The number of items that are reported at once. More are shown as "100+". */
const maxSent = 100;

type Subscription<Filter> = Watcher<Filter> & {
  lastSentId: string;
  /** True if there may be items that it hasn't got. */
  isBehind: boolean;
  /** The last pause after its items couldn't be read, and its end on `performance.now()`. */
  pauseMs: number;
  pausedUntilMs: number;
};
type Account<Filter> = { readonly watchers: Set<Subscription<Filter>>; newestId: string };

/**
 * Reports new items of a list to its viewers. While there are viewers, it reads the newest id of
 * the account once a second with one index step, however many there are. The catch path does no
 * work for it, and a burst of thousands costs the same as one delivery.
 */
export function createFeed<Filter>(source: FeedSource<Filter>): Feed<Filter> {
  const accounts = new Map<string, Account<Filter>>();

  async function sendNew(accountId: string, watcher: Subscription<Filter>): Promise<void> {
    const newest = await source.readNewest(accountId, watcher.filter, maxSent);
    const ids = newest.map(({ id }) => id).filter((id) => id > watcher.lastSentId);
    if (ids[0] === undefined) return;
    watcher.lastSentId = ids[0];
    watcher.onUpdates({ ids, isMore: ids.length === maxSent });
  }

  async function poll(accountId: string, account: Account<Filter>): Promise<void> {
    const [newest] = await source.readNewest(accountId, source.matchAll, 1);
    const newestId = newest?.id ?? "";
    const hasUpdates = newestId !== account.newestId;
    account.newestId = newestId;
    for (const watcher of account.watchers) {
      if (hasUpdates || source.isChanging(watcher.filter)) watcher.isBehind = true;
      if (watcher.isBehind && performance.now() >= watcher.pausedUntilMs)
        await catchUp(accountId, watcher);
    }
  }

  /**
   * A filter that takes too long, for example, is read again after a pause, which doubles: the
   * others and the database shouldn't wait for it each second.
   */
  async function catchUp(accountId: string, watcher: Subscription<Filter>): Promise<void> {
    try {
      await sendNew(accountId, watcher);
      watcher.isBehind = false;
      watcher.pauseMs = 0;
    } catch (error) {
      warn(error);
      watcher.pauseMs = Math.min(Math.max(watcher.pauseMs * 2, everyMs), maxPauseMs);
      watcher.pausedUntilMs = performance.now() + watcher.pauseMs;
    }
  }

  function repeat(accountId: string, account: Account<Filter>): void {
    const timer = setTimeout(async () => {
      // The next poll tries again a second later.
      await poll(accountId, account).catch(warn);
      if (account.watchers.size > 0) repeat(accountId, account);
      else if (accounts.get(accountId) === account) accounts.delete(accountId);
    }, everyMs);
    timer.unref();
  }

  function open(accountId: string): Account<Filter> {
    const account: Account<Filter> = { watchers: new Set(), newestId: "" };
    accounts.set(accountId, account);
    repeat(accountId, account);
    return account;
  }

  return {
    watch(watcher) {
      const account = accounts.get(watcher.accountId) ?? open(watcher.accountId);
      const subscription = {
        ...watcher,
        lastSentId: watcher.afterId,
        isBehind: false,
        pauseMs: 0,
        pausedUntilMs: 0,
      };
      account.watchers.add(subscription);
      // A new watcher has missed what the others received.
      account.newestId = "";
      return () => {
        account.watchers.delete(subscription);
      };
    },
  };
}

function warn(error: unknown): void {
  log.warn("live.poll_failed", { error: String(error) });
}
