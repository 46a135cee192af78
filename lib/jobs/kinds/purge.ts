import { setTimeout as delay } from "node:timers/promises";
import { purgeDeletedAccounts } from "#lib/db/accounts/purge-accounts.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { purgeDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";

/** Removes what deleted hooks, subscriptions, and accounts leave behind. */
export function purgeJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "purge",
    lock: lockNothing,
    async workBatch(_work, signal) {
      await purgeDeletedSubscriptions(db);
      // The job rests for as long as it works, so that deliveries get their turn.
      const afterBatch = async (tookMs: number) => {
        await delay(tookMs, undefined, { signal }).catch(() => {});
        return !signal.aborted;
      };
      const { removedRows, isDone } = await purgeDeletedHooks(db, { afterBatch });
      await purgeDeletedAccounts(db, { afterBatch });
      return !isDone && removedRows > 0;
    },
  });
}
