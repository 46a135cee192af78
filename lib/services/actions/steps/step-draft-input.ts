import { z } from "zod";
import { callActionSchema } from "#lib/schema/act/action.ts";
import { stepFilterSchema } from "#lib/schema/act/action-filter.ts";
import { maxStepItems, maxSteps } from "#lib/schema/act/step-limits.ts";
import { stepSchema } from "#lib/schema/act/steps.ts";

const key = z.string().max(64);

/**
 * A step of the editor, with what it needs of earlier steps: the code of a transform, which runs
 * again, or the result that "Run this step" gave. Other steps have their results from the last run.
 */
export const stepDraftSchema = z.strictObject({
  /** The action's filter. */
  filter: callActionSchema.shape.filter,
  step: stepSchema,
  /** The step's key when the action was saved. */
  formerKey: key.nullable(),
  /** The action's timeout, for a call without its own. */
  timeoutMs: callActionSchema.shape.timeoutMs.catch(15_000),
  /** The index of the `forEach` item to show. */
  itemIndex: z
    .int()
    .min(0)
    .max(maxStepItems - 1),
  /** The key of the step that has it in its branch. Null: none. */
  branchOf: key.nullable().default(null),
  earlier: z
    .array(
      z.strictObject({
        key,
        formerKey: key.nullable(),
        kind: z.enum(["call", "transform", "delay", "publish"]),
        code: z.string().max(65_536).optional(),
        when: stepFilterSchema.nullable().catch(null).default(null),
        /** True: it runs for each item of a list, and its condition is decided per item. */
        hasItems: z.boolean().default(false),
        onFailure: z.enum(["stop", "continue", "steps"]).default("stop"),
        /** The key of the step that has this one in its branch. Null: none. */
        branchOf: key.nullable().default(null),
        given: z.unknown().optional(),
      }),
    )
    .max(maxSteps),
});
export type StepDraftInput = z.output<typeof stepDraftSchema>;
export type EarlierStep = StepDraftInput["earlier"][number];
