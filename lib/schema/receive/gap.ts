/** A search for events that never arrived, and taking them in. */
import { z } from "zod";
import { jobLimitFields } from "#lib/schema/act/bulk-job.ts";
import { filterText, instant, isInOrder, recordId } from "#lib/schema/field/common.ts";

export const gapStatuses = ["asking", "found", "failed", "cancelled"] as const;
export type GapStatus = (typeof gapStatuses)[number];

/** `POST /hooks/{id}/gaps`. */
export const findGapSchema = z
  .strictObject({
    from: instant.describe("The beginning of the time to ask the provider about"),
    to: instant.optional().describe("Its end. Omitted: now"),
    credentialId: recordId
      .optional()
      .describe(
        "The saved credential for the provider's API. Omitted: the one that this hook used last",
      ),
  })
  .refine(...isInOrder());

/** `POST /hooks/{id}/gaps/{gapId}/take-in`. */
export const takeInSchema = z.strictObject({
  run: z
    .boolean("must be true or false")
    .describe("True: the hook's actions run. False: the deliveries are only stored"),
  eventTypes: z
    .array(filterText)
    .min(1, "must name at least one type")
    .max(500, "must name at most 500 types")
    .optional()
    .describe("Only missing events of these types. Omitted: all"),
  ...jobLimitFields,
});

/** The filter of a job that takes events in. */
export type TakeInFilter = {
  readonly hookId: string;
  readonly gapId: string;
  readonly run: boolean;
  readonly eventTypes?: readonly string[] | undefined;
};
