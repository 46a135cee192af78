import { KeyCounts } from "#lib/core/key-counts.ts";

/** Open lists at a time. A browser shows one or two in each visible tab. */
export const maxLiveLists = { session: 16, account: 100 } as const;

export type LiveViewer = { readonly sessionId: string; readonly accountId: string };

/** What is open, by session and account, so that one of them can't hold the server's connections. */
export class LiveLimits {
  readonly #sessions = new KeyCounts();
  readonly #accounts = new KeyCounts();

  /** Counts one more list, and returns what ends that, or whose limit is reached. */
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
