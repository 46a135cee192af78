import { AppError } from "#lib/base/errors.ts";
import { KeyCounts } from "#lib/base/key-counts.ts";

const ofAccount = 4;
const ofAll = 64;
const all = "all";
const running = new KeyCounts();

/**
 * Takes one of the few exports that an account, and this process, may have at a time: they hold no
 * slot of the proxy, and a slow client's lasts for hours. Throws `rate_limited`.
 *
 * @returns a function that gives it back, once
 */
export function takeExportSlot(accountId: string): () => void {
  if (!running.add(all, ofAll)) throw tooMany("This server streams as many exports as it can.");
  if (!running.add(accountId, ofAccount)) {
    running.remove(all);
    throw tooMany(`At most ${ofAccount} exports of an account run at a time.`);
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    running.remove(all);
    running.remove(accountId);
  };
}

function tooMany(detail: string): AppError {
  return new AppError("rate_limited", `${detail} Wait for one to end.`);
}
