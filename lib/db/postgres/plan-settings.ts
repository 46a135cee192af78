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
