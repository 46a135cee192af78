/**
 * For connections that read lists and counts, whose cost depends on the parameters: a time range
 * opens one week or all of them. After five executions, PostgreSQL may keep one plan for all
 * parameters (with 500 hooks it took over 60 s instead of 62 ms).
 */
export const customPlans = { plan_cache_mode: "force_custom_plan" } as const;
