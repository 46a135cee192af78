import { log } from "#lib/log.ts";

/** Ids of what is new, newest first; `isMore`: there are more than these. */
export type News = { readonly ids: readonly string[]; readonly isMore: boolean };

export type Watcher<Filter> = {
  readonly accountId: string;
  readonly filter: Filter;
  /** The newest that is known already; empty: nothing. */
  readonly afterId: string;
  readonly tell: (news: News) => void;
};

export type Feed<Filter> = {
  /** Tells what has come since `afterId`, at once and whenever there is more, until the answer is called. */
  watch(watcher: Watcher<Filter>): () => void;
};

export type FeedSource<Filter> = {
  /** The newest of an account that fit, newest first. */
  readonly readNewest: (
    accountId: string,
    filter: Filter,
    limit: number,
  ) => Promise<readonly { readonly id: string }[]>;
  /** Whether something may begin to fit that is not the newest: then it is looked at each time. */
  readonly isChanging: (filter: Filter) => boolean;
  readonly everyFit: Filter;
};

const everyMs = 1_000;
/** Told at once; what is beyond is told as "100+". */
const mostTold = 100;

type Following<Filter> = Watcher<Filter> & { toldId: string };
type Account<Filter> = { readonly watchers: Set<Following<Filter>>; newestId: string };

/**
 * What is new in a list, for those who look at it. While somebody looks, the newest id of the account is asked for once a
 * second by a walk of one step into its index, however many look; the catch path does nothing for it, and a burst of
 * thousands costs what one delivery does.
 */
export function createFeed<Filter>(source: FeedSource<Filter>): Feed<Filter> {
  const accounts = new Map<string, Account<Filter>>();

  async function look(accountId: string, watcher: Following<Filter>): Promise<void> {
    const newest = await source.readNewest(accountId, watcher.filter, mostTold);
    const ids = newest.map(({ id }) => id).filter((id) => id > watcher.toldId);
    if (ids[0] === undefined) return;
    watcher.toldId = ids[0];
    watcher.tell({ ids, isMore: ids.length === mostTold });
  }

  async function poll(accountId: string, account: Account<Filter>): Promise<void> {
    const [newest] = await source.readNewest(accountId, source.everyFit, 1);
    const newestId = newest?.id ?? "";
    const hasNews = newestId !== account.newestId;
    account.newestId = newestId;
    for (const watcher of account.watchers) {
      if (hasNews || source.isChanging(watcher.filter)) await look(accountId, watcher);
    }
  }

  function repeat(accountId: string, account: Account<Filter>): void {
    const timer = setTimeout(async () => {
      // The next second tries again; nobody's page depends on it.
      await poll(accountId, account).catch((error) => log.warn("live.poll_failed", { error: String(error) }));
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
      const following = { ...watcher, toldId: watcher.afterId };
      account.watchers.add(following);
      // Who comes later has missed what the others were told.
      account.newestId = "";
      return () => {
        account.watchers.delete(following);
      };
    },
  };
}
