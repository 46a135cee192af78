/** What an account has used, by day, hook, or recipient. */
import { z } from "zod";
import { instant, isInOrder, pageFields, recordId } from "#lib/schema/field/common.ts";
import { recipientId } from "#lib/schema/send/recipient.ts";

export const usageGroups = ["day", "hook", "recipient"] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** `GET /usage?…`; whole UTC days, from the day of `from` until before that of `to`. */
export const usageQuerySchema = z
  .strictObject({
    ...pageFields,
    by: z
      .enum(usageGroups, { error: `must be one of ${usageGroups.join(", ")}` })
      .default("day")
      .describe("What a row is of"),
    hookId: recordId.optional().describe("Only what belongs to this hook, also a deleted one"),
    recipient: recipientId.optional().describe("Only what belongs to this recipient"),
    from: instant
      .optional()
      .describe("The first day, as a date in UTC. Omitted: 30 days, until today"),
    to: instant.optional().describe("The day after the last one. Omitted: until today"),
  })
  .refine(...isInOrder());
