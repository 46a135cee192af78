import type { SqlStatements } from "./sql-database.ts";

/**
 * Settings for connections that read lists and counts, whose cost depends on the parameters: a time
 * range opens one week or all of them. After five executions, PostgreSQL may keep one plan for all
 * parameters (with 500 hooks it took over 60 s instead of 62 ms). And where statistics are older
 * than a burst, an incremental sort looks cheaper than the index that is in order: it read 100,000
 * queued runs for the first 50.
 */
export const customPlans = {
  plan_cache_mode: "force_custom_plan",
  enable_incremental_sort: "off",
} as const;

/**
 * Settings for connections that store deliveries and events. Their statements look up a few rows by
 * index, regardless of the size of a table when the plan was made: a plan for small tables, kept
 * until the next analyze, would read all subscriptions for each event.
 */
export const storingPlans = { enable_seqscan: "off", jit: "off" } as const;

/**
 * Settings for connections that run the queue's statements. Each statement looks up a few rows by
 * index. A plan made while the table is small or its statistics are old may read the whole table,
 * and is kept until the next analyze, long after a burst has filled the table. For the same reason,
 * a statement that orders its rows gets the index with that order, and not another one that looks
 * as good while the table is empty. The estimates for a batch can also start the JIT compiler,
 * which takes a hundred times longer than the statement.
 */
export const queueSettings = { enable_seqscan: "off", enable_sort: "off", jit: "off" } as const;

/**
 * Makes all lookups of a counting transaction use an index. Without table statistics (in the first
 * minutes of a database or of a week's partition), the planner reads the whole index of ids for
 * every run whose attempt it looks up.
 */
export async function walkAlongIndexes(tx: SqlStatements): Promise<void> {
  await tx.$executeRaw`set local enable_bitmapscan = off`;
  await tx.$executeRaw`set local enable_seqscan = off`;
  // A generic plan opens every week.
  await tx.$executeRaw`set local plan_cache_mode = force_custom_plan`;
}
