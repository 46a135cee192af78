import { z } from "zod";

/** How many deliveries a hook keeps, for how long, and whether their fields are indexed. */
const fields = {
  /** Whether the fields of its payloads are indexed for the search. */
  fieldSearch: z.boolean({ error: "must be true or false" }),
  /** The age in days at which its deliveries are removed. Null: that of the installation. */
  retentionDays: z
    .int("must be a whole number of days, or null")
    .min(1, "must be at least 1 day")
    .max(3_650, "must be at most 3650 days")
    .nullable(),
  /** How many of its newest deliveries are kept. Null: all. */
  retentionCount: z
    .int("must be a whole number of deliveries, or null")
    .min(100, "must be at least 100")
    .max(1_000_000, "must be at most 1000000")
    .nullable(),
};

/** For a new hook. */
export const hookStorageInput = {
  fieldSearch: fields.fieldSearch.default(false),
  retentionDays: fields.retentionDays.default(null),
  retentionCount: fields.retentionCount.default(null),
};

/** For a change. */
export const hookStoragePatch = z.object(fields).partial().shape;
