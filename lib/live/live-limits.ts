import { KeyCounts } from "#lib/base/key-counts.ts";

/** The maximum number of open lists. A browser shows one or two in each visible tab. */
export const maxLiveLists = { session: 16, account: 100 } as const;

type LiveViewer = { readonly sessionId: string; readonly accountId: string };

/**
 * The open lists by session and account, so that one of them can't hold all of the server's
 * connections.
 */
export class LiveLimits {
  readonly #sessions = new KeyCounts();
  readonly #accounts = new KeyCounts();

  /** Counts one more list. Returns the function that ends it, or says whose limit is reached. */
  open({ sessionId, accountId }: LiveViewer): (() => void) | keyof typeof maxLiveLists {
    if (!this.#sessions.add(sessionId, maxLiveLists.session)) return "session";
    if (!this.#accounts.add(accountId, maxLiveLists.account)) {
      this.#sessions.remove(sessionId);
      return "account";
    }
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#sessions.remove(sessionId);
      this.#accounts.remove(accountId);
    };
  }
}
