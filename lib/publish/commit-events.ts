import { isTooManySends } from "#lib/db/events/enqueue-sends.ts";
import type { NewEvent, StoredEvent } from "#lib/db/events/store-events.ts";
import type { Committed, GroupCommit } from "#lib/ingress/group-commit.ts";

/** Events that are stored together or not at all. */
export type PublishItem = { readonly accountId: string; readonly events: readonly NewEvent[] };

export type PublishCommits = GroupCommit<PublishItem, readonly StoredEvent[]>;

export type PublishResult =
  | StoredEvent
  /** There was no time left to store it. `isUnknown`: it may be stored nevertheless. */
  | { readonly outcome: "unstored"; readonly isUnknown: boolean };

/** The time for one part, so that its result is almost always known. */
const minPartMs = 1_000;

/**
 * Stores the events of a request: together, or in parts if they have too many sends for one
 * statement. Parts are stored one after the other, so that the events of an ordered subscription
 * stay in order and other accounts have their turn in between. A part without enough time left
 * isn't started.
 *
 * @returns one result per event, in order; not `ok`: nothing was stored
 */
export async function commitEvents(
  commits: PublishCommits,
  { accountId, events }: PublishItem,
  leftMs: () => number,
): Promise<Committed<readonly PublishResult[]>> {
  const results: PublishResult[] = [];
  let size = events.length;
  while (results.length < events.length) {
    const part = events.slice(results.length, results.length + size);
    const isWhole = part.length === events.length;
    if (!isWhole && leftMs() < minPartMs) break;
    const committed = await commits.submit({ accountId, events: part }, Math.max(0, leftMs()));
    if (committed.ok) {
      results.push(...committed.result);
    } else if (part.length > 1 && isTooManySends(committed.error)) {
      size = Math.ceil(part.length / 2);
    } else {
      if (results.length === 0) return committed;
      const isUnknown = committed.reason === "timeout";
      results.push(...part.map(() => ({ outcome: "unstored", isUnknown }) as const));
      break;
    }
  }
  if (results.length === 0) return { ok: false, reason: "timeout" };
  const rest = events.slice(results.length);
  results.push(...rest.map(() => ({ outcome: "unstored", isUnknown: false }) as const));
  return { ok: true, result: results };
}
