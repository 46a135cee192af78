import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { readRetentionTime } from "#lib/db/clock/database-clock.ts";
import {
  findRetentionEnd,
  listRetainedHooks,
  removeHookDeliveriesBefore,
} from "#lib/db/hooks/hook-retention.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";
import { restAfterBatch } from "../rest-after-batch.ts";

const kind = "retain_hooks";

/** Removes deliveries that their hooks don't keep, by age or number. */
export function retainHooksJob(db: SqlDatabase): Job {
  return defineJob({
    kind,
    lock: lockNothing,
    async workBatch(_work, signal) {
      const afterBatch = restAfterBatch(signal);
      const nowMs = (await readRetentionTime(db)).getTime();
      for (const hook of await listRetainedHooks(db)) {
        if (signal.aborted) break;
        const { hookId } = hook;
        try {
          const end = await findRetentionEnd(db, hook, nowMs);
          const deliveries = await removeHookDeliveriesBefore(db, hookId, end, { afterBatch });
          if (deliveries > 0) log.info("job.hook_swept", { hookId, deliveries });
        } catch (error) {
          if (isDatabaseUnavailable(error)) throw error;
          // The ones after it get their turn all the same.
          log.warn("job.failed", { kind, hookId, error: toError(error) });
        }
      }
      return false;
    },
  });
}
