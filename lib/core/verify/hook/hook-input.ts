/** The input that creates or changes a hook, checked against the providers that exist. */
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { hookInputSchema, hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { describeUnknownProvider } from "./hook-rules.ts";

const provider = hookPatchSchema.shape.provider.unwrap().superRefine((name, context) => {
  const message = describeUnknownProvider(name);
  if (message !== null)
    context.addIssue({ code: "custom", ...brokenRule("unknown_value", message, { name }) });
});

/** `POST /hooks` */
export const createHookSchema = hookInputSchema.extend({ provider: provider.default("generic") });

/** `PATCH /hooks/{id}` */
export const updateHookSchema = hookPatchSchema.extend({ provider: provider.optional() });
