/** Failed runs, grouped by action or subscription and reason. */
import { z } from "zod";
import { reasonCode } from "#lib/schema/act/run.ts";
import { instant, isInOrder, recordId } from "#lib/schema/field/common.ts";

/** The equal parts of that time in which a group counts its failures. */
export const failureBars = 28;

/** `GET /failures?…`: when the runs were created. `from` is inclusive, `to` is exclusive. */
export const failureQuerySchema = z
  .strictObject({ from: instant.optional(), to: instant.optional() })
  .refine(...isInOrder());

/** The failed runs of an account, and those of these actions and subscriptions. */
export const failedRunsSchema = z
  .strictObject({
    from: instant.optional(),
    to: instant.optional(),
    targetIds: z.array(recordId).max(200),
  })
  .refine(...isInOrder());

/** `POST /failures/mute`, `POST /failures/unmute`. */
export const muteFailureSchema = z
  .strictObject({
    actionId: recordId.optional().describe("The action whose runs fail, or else `subscriptionId`"),
    subscriptionId: recordId.optional().describe("The subscription whose sends fail"),
    reason: reasonCode,
  })
  .refine(
    ({ actionId, subscriptionId }) => (actionId === undefined) !== (subscriptionId === undefined),
    { path: ["actionId"], error: "must be set, or else subscriptionId" },
  );
