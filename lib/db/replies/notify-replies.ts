import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The channel that catch processes listen on. */
export const repliesChannel = "replies_ready";

/** A payload has at most 8,000 bytes, and an id with its comma has 37. */
const maxIds = 200;

/**
 * Notifies catch processes of stored replies. Call it after that commit, never inside: a commit
 * with a NOTIFY waits for every other one. A lost notification costs the provider a second, so it
 * is neither awaited nor repeated.
 */
export async function notifyOfReplies(
  db: SqlStatements,
  deliveryIds: readonly string[],
): Promise<void> {
  for (let at = 0; at < deliveryIds.length; at += maxIds) {
    const ids = deliveryIds.slice(at, at + maxIds).join(",");
    try {
      await db.$executeRaw`select pg_notify(${repliesChannel}, ${ids})`;
    } catch {
      // The database is unavailable. Catch processes poll.
      return;
    }
  }
}

/** The ids in a payload. */
export function readReplyIds(payload: string): readonly string[] {
  return payload.split(",");
}
