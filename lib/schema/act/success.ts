/**
 * The rule that decides which receiver responses are a success, as exchanged by the API and the
 * database.
 */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { responseFilterSchema } from "./action-filter.ts";

const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

const status = z.union([z.enum(statusClasses), z.int().min(200).max(599)], {
  error: 'must be "2xx", "3xx", "4xx", "5xx", or a status from 200 to 599',
});

export const successSchema = z
  .strictObject({
    /** Omitted: every 2xx. */
    statuses: z
      .array(status)
      .min(1, "at least one status")
      .max(50, "at most 50 statuses")
      .nullable()
      .default(null),
    /** A condition on `status`, `headers`, and `body` that must match too. */
    when: responseFilterSchema.nullable().default(null),
  })
  .refine(
    ({ statuses, when }) => statuses !== null || when !== null,
    brokenRule("required", "needs statuses, when, or both"),
  )
  .meta({ id: "SuccessRule" });

/** Null: every 2xx is a success. */
export type SuccessRule = z.output<typeof successSchema>;
