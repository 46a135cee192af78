import { purgeDeletedAccounts } from "#lib/db/accounts/purge-accounts.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { purgeDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";
import { restAfterBatch } from "../rest-after-batch.ts";

/** Removes what deleted hooks, subscriptions, and accounts leave behind. */
export function purgeJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "purge",
    lock: lockNothing,
    async workBatch(_work, signal) {
      await purgeDeletedSubscriptions(db);
      const afterBatch = restAfterBatch(signal);
      const { removedRows, isDone } = await purgeDeletedHooks(db, { afterBatch });
      await purgeDeletedAccounts(db, { afterBatch });
      return !isDone && removedRows > 0;
    },
  });
}
