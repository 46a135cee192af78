/** An action, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { breakerSchema } from "#lib/schema/field/breaker.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { displayName, isObjectValue } from "#lib/schema/field/common.ts";
import { rateLimitSchema } from "#lib/schema/field/rate-limit.ts";
import { actionFilterSchema } from "./action-filter.ts";
import { type ActionOptionName, type ActionOptions, mapOptions } from "./action-options.ts";
import { requestSchema } from "./action-request.ts";
import { orderSchema } from "./order.ts";
import { retrySchema } from "./retry-schema.ts";
import { stepsSchema } from "./steps.ts";
import { successSchema } from "./success.ts";
import { startedFrom } from "./version.ts";

const fields = {
  name: displayName.describe("The name in lists, runs, and alerts"),
  enabled: z.boolean(),
  position: z.int().min(0, "must be at least 0").max(10_000, "must be at most 10000"),
  filter: actionFilterSchema.nullable(),
  request: requestSchema.describe("The only call of the action. An action has this or `steps`"),
  retry: retrySchema,
  steps: stepsSchema,
  success: successSchema.nullable(),
  rateLimit: rateLimitSchema.nullable(),
  breaker: breakerSchema.nullable(),
  order: orderSchema.nullable(),
};

const optionFields = mapOptions((_name, { min, max, default: preset }) => {
  const number = z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);
  return preset === null ? number.nullable() : number;
});
const optionInputs = mapOptions((name, option) =>
  optionFields[name].default(option.default as number),
) as { [Name in ActionOptionName]: z.ZodDefault<z.ZodType<ActionOptions[Name]>> };
const optionPatches = mapOptions((name) => optionFields[name].optional()) as {
  [Name in ActionOptionName]: z.ZodOptional<z.ZodType<ActionOptions[Name]>>;
};

const inputFields = {
  name: fields.name,
  enabled: fields.enabled.default(true),
  position: fields.position.optional(),
  filter: fields.filter.default(null),
  retry: fields.retry.prefault({}),
  success: fields.success.default(null),
  rateLimit: fields.rateLimit.default(null),
  breaker: fields.breaker.default(null),
  order: fields.order.default(null),
  ...optionInputs,
};

/** An action that makes one call, as the form edits it. */
export const callActionSchema = z.strictObject({ ...inputFields, request: fields.request });

const { name: _name, enabled: _enabled, position: _position, ...workFields } = inputFields;

/**
 * The content of an action's version: everything that the action does. Its name, position, and
 * whether it is enabled aren't part of it. A field that is newer than the version has its default.
 */
export const actionContentSchema = z.object({
  ...workFields,
  request: fields.request.nullable(),
  steps: fields.steps.nullable(),
});
export type ActionContent = z.infer<typeof actionContentSchema>;
export const contentFields = Object.keys(actionContentSchema.shape) as (keyof ActionContent)[];

/**
 * `POST /hooks/{id}/actions`: `request` is the only call of the action, or `steps` are several.
 * Templates are checked separately, by `checkRequestTemplates`.
 */
export const actionInputSchema = z
  .strictObject({
    ...inputFields,
    request: fields.request.optional(),
    steps: fields.steps.optional(),
  })
  .superRefine(
    ({ request, steps }, ctx) => {
      if (request === undefined && steps === undefined)
        addIssue(ctx, "request", "required", missing);
      if (request !== undefined && steps !== undefined) addIssue(ctx, "steps", "conflict", both);
    },
    { when: isObjectValue },
  );

const missing = "is required, or steps";
const both = "can't be there beside request";

function addIssue(
  ctx: z.RefinementCtx,
  field: string,
  code: "required" | "conflict",
  message: string,
): void {
  ctx.addIssue({ code: "custom", path: [field], ...brokenRule(code, message) });
}
export type ActionInput = z.infer<typeof actionInputSchema>;

/**
 * `PATCH /actions/{id}`: omitted fields stay unchanged; `request`, `steps`, `retry`, and `success`
 * are replaced completely, and `request` and `steps` replace each other. `version` is the one that
 * the change started from.
 */
export const actionPatchSchema = z
  .strictObject({
    name: fields.name.optional(),
    enabled: fields.enabled.optional(),
    position: fields.position.optional(),
    filter: fields.filter.optional(),
    request: fields.request.optional(),
    steps: fields.steps.optional(),
    retry: fields.retry.optional(),
    success: fields.success.optional(),
    rateLimit: fields.rateLimit.optional(),
    breaker: fields.breaker.optional(),
    order: fields.order.optional(),
    ...optionPatches,
    version: startedFrom.optional(),
  })
  .superRefine(({ request, steps }, ctx) => {
    if (request !== undefined && steps !== undefined) addIssue(ctx, "steps", "conflict", both);
  });
export type ActionPatch = z.infer<typeof actionPatchSchema>;
