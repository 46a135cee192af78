/** A search for events that never arrived, and taking them in. */
import { z } from "zod";
import { jobLimitFields } from "#lib/schema/act/bulk-job.ts";
import { filterText, instant, isInOrder, recordId } from "#lib/schema/field/common.ts";

export const gapStatuses = ["asking", "found", "failed", "cancelled"] as const;
export type GapStatus = (typeof gapStatuses)[number];

const webhook = z
  .string()
  .min(1, "must not be empty")
  .max(1_000, "must have at most 1000 characters")
  .describe(
    "For GitHub and GitLab: the address of the webhook's page there, or its path in the API. Omitted: the last one",
  );

/** What is kept of an event that the provider is asked to send again. */
export const redeliverySchema = z.object({ redeliverAt: z.string().startsWith("/") });

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
    webhook: webhook.optional(),
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

/** What becomes of missing events that a schedule finds. */
const gapTakeIns = ["none", "store", "run"] as const;
export type GapTakeIn = (typeof gapTakeIns)[number];

const gapEverys = ["off", "hour", "day"] as const;
export type GapEvery = (typeof gapEverys)[number];
export const gapEvery = z.enum(gapEverys, { error: `must be one of ${gapEverys.join(", ")}` });
export const gapTakeIn = z.enum(gapTakeIns, { error: `must be one of ${gapTakeIns.join(", ")}` });

/** `PUT /hooks/{id}/gap-schedule`. */
export const gapScheduleSchema = z.strictObject({
  every: gapEvery.describe("How often to search. `off`: only when a person does"),
  takeIn: gapTakeIn
    .default("none")
    .describe(
      "What to do if something is missing. `none`: open a problem. `run`: take it in and run the hook's actions. " +
        "`store`: take it in without running them",
    ),
  credentialId: recordId
    .optional()
    .describe("The same as for a search. Omitted: the one that this hook used last"),
  webhook: webhook.optional(),
});

/** The filter of a job that takes events in. */
export type TakeInFilter = {
  readonly hookId: string;
  readonly gapId: string;
  readonly run: boolean;
  readonly eventTypes?: readonly string[] | undefined;
};
