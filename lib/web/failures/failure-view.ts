import { z } from "zod";
import { failureBars } from "#lib/schema/watch/failure.ts";
import type { Failure, FailureList } from "#lib/services/failures.ts";
import { view } from "#lib/web/route/view.ts";

const failureSchema = z
  .object({
    actionId: z.string().nullable(),
    subscriptionId: z.string().nullable().describe("For sends"),
    reason: z.string().describe("The code of the runs' reason: `mapping_failed`"),
    count: z.int(),
    firstAt: z.date(),
    lastAt: z.date(),
    histogram: z
      .array(z.int())
      .describe(`The runs in ${failureBars} equal parts of the time, oldest first`),
    mutedAt: z.date().nullable().describe("Null: not muted"),
    example: z
      .object({
        runId: z.string(),
        deliveryId: z.string().nullable(),
        eventId: z
          .string()
          .nullable()
          .describe("For a send: the id that its publisher gave the event"),
        detail: z.string().nullable().describe("The reason in a sentence"),
      })
      .describe("The last run"),
  })
  .meta({ id: "Failure" });

/** Groups of failed runs, muted ones last, most runs first. */
export const failuresView = view(
  z
    .object({
      data: z.array(failureSchema),
      from: z.date(),
      to: z.date(),
      more: z.int().describe("Groups that aren't listed, because they have fewer runs"),
      isComplete: z.boolean().describe("False: only the newest 200,000 runs are counted"),
    })
    .meta({ id: "FailureList" }),
  ({ failures, from, to, more, isComplete }: FailureList) => ({
    data: failures.map(showFailure),
    from,
    to,
    more,
    isComplete,
  }),
);

function showFailure({ bars, lastRunId, example, ...group }: Failure) {
  const { deliveryId, eventId, reason } = example;
  return {
    ...group,
    histogram: [...bars],
    example: {
      runId: lastRunId,
      deliveryId,
      eventId: deliveryId === null ? eventId : null,
      detail: reason?.detail ?? null,
    },
  };
}
