import { AppError } from "#lib/base/errors.ts";
import { KeyCounts } from "#lib/base/key-counts.ts";

/** Open streams and calls that wait: of this process, and of one account in it. */
export const maxReaders = { process: 300, account: 100 } as const;

const all = "all";
const open = new KeyCounts();
const retryAfterSeconds = "5";

/**
 * Takes a place for a stream or a call that waits. They hold no slot of the proxy, so nothing else
 * limits them. Throws `rate_limited`.
 *
 * @returns a function that gives it back, once
 */
export function takeReaderSlot(accountId: string): () => void {
  if (!open.add(all, maxReaders.process))
    throw tooMany(`This server has ${maxReaders.process} open streams and calls that wait.`);
  if (!open.add(accountId, maxReaders.account)) {
    open.remove(all);
    const most = `An account has at most ${maxReaders.account} open streams and calls that wait.`;
    throw tooMany(`${most} Stop programs that you don't need, or let one hear several hooks.`);
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    open.remove(all);
    open.remove(accountId);
  };
}

function tooMany(detail: string): AppError {
  return new AppError("rate_limited", `${detail} Try again after Retry-After seconds.`, {
    headers: { "retry-after": retryAfterSeconds },
  });
}
