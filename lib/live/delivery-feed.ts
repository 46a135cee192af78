import type { Database } from "#lib/db/client.ts";
import { listDeliveries } from "#lib/db/list-deliveries.ts";
import { log } from "#lib/log.ts";
import { countNews, type News, type Watched } from "./count-news.ts";

export type Watcher = Watched & { readonly accountId: string; readonly tell: (news: News) => void };

export type DeliveryFeed = {
  /** Tells how much has arrived since `afterId`, at once and whenever it changes, until the answer is called. */
  watch(watcher: Watcher): () => void;
};

const everyMs = 1_000;
/** More is told as "100+". */
const mostCounted = 100;

type Account = { readonly watchers: Set<Watcher>; newestId: string; timer: NodeJS.Timeout | undefined };

/**
 * What arrives, for those who look at a list. While somebody looks, the newest id of the account is asked for once a
 * second by a walk of one step into its index, however many look; the catch path does nothing for it, and a burst of
 * thousands costs what one delivery does.
 */
export function createDeliveryFeed(db: Database): DeliveryFeed {
  const accounts = new Map<string, Account>();

  async function poll(accountId: string, account: Account): Promise<void> {
    const { items: newest } = await listDeliveries(db, accountId, {}, { limit: 1 });
    const newestId = newest[0]?.id ?? "";
    if (newestId === account.newestId) return;
    const { items } = await listDeliveries(db, accountId, {}, { limit: mostCounted });
    account.newestId = newestId;
    for (const watcher of account.watchers) watcher.tell(countNews(items, watcher));
  }

  function repeat(accountId: string, account: Account): void {
    account.timer = setTimeout(async () => {
      // The next second tries again; nobody's page depends on it.
      await poll(accountId, account).catch((error) => log.warn("live.poll_failed", { error: String(error) }));
      if (account.watchers.size > 0) repeat(accountId, account);
    }, everyMs);
    account.timer.unref();
  }

  function open(accountId: string): Account {
    const account: Account = { watchers: new Set(), newestId: "", timer: undefined };
    accounts.set(accountId, account);
    repeat(accountId, account);
    return account;
  }

  return {
    watch(watcher) {
      const { accountId } = watcher;
      const account = accounts.get(accountId) ?? open(accountId);
      account.watchers.add(watcher);
      // Who comes later has missed what the others were told.
      account.newestId = "";
      return () => {
        account.watchers.delete(watcher);
        if (account.watchers.size > 0 || accounts.get(accountId) !== account) return;
        clearTimeout(account.timer);
        accounts.delete(accountId);
      };
    },
  };
}
