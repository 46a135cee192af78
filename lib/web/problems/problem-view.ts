import { z } from "zod";
import {
  problemDetailsSchema,
  problemKind,
  problemResolutions,
  problemStates,
} from "#lib/schema/watch/problem.ts";
import type { ProblemRecord } from "#lib/services/problems.ts";
import { view } from "#lib/web/route/view.ts";

const problemSchema = z
  .object({
    id: z.string(),
    kind: problemKind,
    state: z.enum(problemStates),
    hookId: z.string().nullable(),
    actionId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    reason: z.string().nullable().describe("A code, such as `receiver_down`"),
    firstAt: z.date(),
    lastAt: z.date(),
    count: z.int().describe("How often it happened"),
    details: problemDetailsSchema,
    example: z.object({ deliveryId: z.string().nullable(), runId: z.string().nullable() }),
    acknowledgedAt: z.date().nullable(),
    acknowledgedBy: z.string().nullable(),
    resolvedAt: z.date().nullable(),
    resolvedBy: z.string().nullable().describe("Null: it resolved itself, or is not resolved"),
    resolution: z.enum(problemResolutions).nullable(),
    assigneeId: z.string().nullable().describe("The member who takes care of it"),
    assignee: z.string().nullable().describe("Their name"),
    comment: z.string().nullable(),
    commentedAt: z.date().nullable(),
    commentedBy: z.string().nullable(),
  })
  .meta({ id: "Problem" });

export const problemView = view(
  problemSchema,
  ({
    deliveryId,
    runId,
    hookName,
    actionName,
    receiverUrl,
    recipient,
    ...problem
  }: ProblemRecord) => ({
    ...problem,
    example: { deliveryId, runId },
  }),
);
