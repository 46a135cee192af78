/** An action, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";
import { actionFilterSchema } from "./action-filter.ts";
import { type ActionOptionName, type ActionOptions, mapOptions } from "./action-options.ts";
import { requestSchema } from "./action-request.ts";
import { retrySchema } from "./retry-schema.ts";

const fields = {
  name: displayName,
  enabled: z.boolean(),
  position: z.int().min(0, "must be at least 0").max(10_000, "must be at most 10000"),
  filter: actionFilterSchema.nullable(),
  request: requestSchema,
  retry: retrySchema,
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

/** `POST /hooks/{id}/actions`. Templates are checked separately, by `checkRequestTemplates`. */
export const actionInputSchema = z.strictObject({
  name: fields.name,
  enabled: fields.enabled.default(true),
  position: fields.position.optional(),
  filter: fields.filter.default(null),
  request: fields.request,
  retry: fields.retry.prefault({}),
  ...optionInputs,
});
export type ActionInput = z.infer<typeof actionInputSchema>;

/**
 * `PATCH /actions/{id}`: omitted fields stay unchanged; `request` and `retry` are replaced
 * completely.
 */
export const actionPatchSchema = z.strictObject({
  name: fields.name.optional(),
  enabled: fields.enabled.optional(),
  position: fields.position.optional(),
  filter: fields.filter.optional(),
  request: fields.request.optional(),
  retry: fields.retry.optional(),
  ...optionPatches,
});
export type ActionPatch = z.infer<typeof actionPatchSchema>;
