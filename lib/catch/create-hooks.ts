import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { type CatchHookRow, type CatchUrl, findCatchHooks } from "#lib/db/hooks/catch-hook.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { type CatchHook, toCatchHook } from "#lib/evaluate/catch-hook.ts";
import { BatchLoader } from "#lib/ingress/batch-loader.ts";
import type { CatchSpool } from "./catch-spool.ts";
import { HookCache } from "./hook-cache.ts";

/** Hooks are loaded in batches, cached, and remembered for the time in which the database is away. */
export function createHooks(
  { db, sealer }: { readonly db: SqlDatabase; readonly sealer: Sealer },
  now: () => number,
  spool: CatchSpool | undefined,
): HookCache {
  const loader = new BatchLoader<CatchUrl, CatchHookRow, CatchHook>({
    keyOf: ({ accountSlug, hookKey }) => `${accountSlug}/${hookKey}`,
    find: async (urls) => {
      const rows = await findCatchHooks(db, urls);
      spool?.record(urls, rows);
      return rows;
    },
    prepare: (row) => toCatchHook(row, sealer, now()),
    timeoutMs: 2_000,
    spacingMs: 5,
    maxBatch: 500,
    maxWaiting: 5_000,
  });
  return new HookCache({
    now,
    fallback: spool?.fallback,
    load: (accountSlug, hookKey) => loader.load({ accountSlug, hookKey }),
  });
}
