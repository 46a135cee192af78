import { log } from "#lib/log.ts";

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
/** The number of items that are reported at once. More are shown as "100+". */
const maxSent = 100;

type Subscription<Filter> = Watcher<Filter> & {
  lastSentId: string;
  /** True if its items couldn't be read: they are read at the next poll, new ones or not. */
  isBehind: boolean;
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
      if (!hasUpdates && !watcher.isBehind && !source.isChanging(watcher.filter)) continue;
      watcher.isBehind = true;
      // A filter that takes too long, for example. The others get theirs.
      await sendNew(accountId, watcher).then(() => {
        watcher.isBehind = false;
      }, warn);
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
      const subscription = { ...watcher, lastSentId: watcher.afterId, isBehind: false };
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
