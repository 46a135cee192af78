import type { Database } from "#lib/db/postgres/client.ts";
import { firstId, idFloor } from "#lib/db/postgres/page.ts";
import {
  type BulkJobRecord,
  insertBulkJob,
  type MissingFilter,
  maxCounted,
} from "#lib/db/runs/bulk-jobs.ts";
import type { SubscriptionScope } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { findMissing, type MissingTarget } from "./find-missing.ts";

/**
 * Sends a subscription, in the background and oldest first, the events since a time that match it
 * and that it was never sent, such as those that were published while it was disabled. Throws
 * `conflict` if it isn't active or nothing is missing.
 */
export async function createMissingJob(
  db: Database,
  accountId: string,
  subscriptionId: string,
  sinceMs: number,
  scope: SubscriptionScope = {},
): Promise<BulkJobRecord> {
  const { id, status, recipient, eventTypes } = await getSubscription(
    db,
    accountId,
    subscriptionId,
    scope,
  );
  if (status !== "active")
    throw new AppError(
      "conflict",
      `This subscription is ${status}, so it gets no events. Enable it first.`,
    );
  const total = await countMissing(
    db,
    { accountId, subscriptionId: id, recipient, eventTypes },
    sinceMs,
  );
  if (total === 0)
    throw new AppError(
      "conflict",
      "No event is missing. Every one since then that matches was sent.",
    );
  const filter: MissingFilter = { subscriptionId: id, from: sinceMs };
  return await insertBulkJob(db, accountId, {
    id: newId(),
    kind: "replay_missing",
    filter,
    total,
    seenBefore: firstId,
  });
}

/** Null: there are more events to look at than are counted. */
async function countMissing(
  db: Database,
  target: MissingTarget,
  sinceMs: number,
): Promise<number | null> {
  let after = idFloor(sinceMs);
  let total = 0;
  for (let scanned = 0; scanned < maxCounted; scanned += batchCounted) {
    const found = await findMissing(db, target, { after, end: null, limit: batchCounted });
    total += found.missing.length;
    if (found.last === null) return total;
    after = found.last;
  }
  return null;
}

const batchCounted = 5_000;
