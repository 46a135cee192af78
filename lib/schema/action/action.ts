/** An action, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { displayName, isObjectValue } from "#lib/schema/field/common.ts";
import { actionFilterSchema } from "./action-filter.ts";
import { type ActionOptionName, type ActionOptions, mapOptions } from "./action-options.ts";
import { requestSchema } from "./action-request.ts";
import { defaultRetryPolicy } from "./retry-policy.ts";

const retryOn = z.union([z.enum(["connection", "timeout", "5xx"]), z.int().min(400).max(599)], {
  error: 'must be "connection", "timeout", "5xx" or a status from 400 to 599',
});

const dayMs = 86_400_000;

const retry = z
  .strictObject({
    /** Including the first one: 1 means no retries. */
    maxAttempts: z
      .int()
      .min(1, "must be at least 1")
      .max(20, "must be at most 20")
      .default(defaultRetryPolicy.maxAttempts),
    initialDelayMs: z
      .int()
      .min(100, "must be at least 100")
      .max(dayMs, "must be at most a day")
      .default(defaultRetryPolicy.initialDelayMs),
    maxDelayMs: z
      .int()
      .min(100, "must be at least 100")
      .max(dayMs, "must be at most a day")
      .default(defaultRetryPolicy.maxDelayMs),
    on: z
      .array(retryOn)
      .max(50, "at most 50 entries")
      .default([...defaultRetryPolicy.on]),
  })
  // Not `<=`: if one of them isn't a number, that is already an error.
  .refine((value) => !(value.initialDelayMs > value.maxDelayMs), {
    path: ["maxDelayMs"],
    ...brokenRule("out_of_range", "must not be less than initialDelayMs"),
    when: isObjectValue,
  });

const fields = {
  name: displayName,
  enabled: z.boolean(),
  position: z.int().min(0, "must be at least 0").max(10_000, "must be at most 10000"),
  filter: actionFilterSchema.nullable(),
  request: requestSchema,
  retry,
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
