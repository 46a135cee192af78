import { z } from "zod";
import { recordId } from "#lib/schema/field/common.ts";
import { hookPatchSchema, secretRotationSchema } from "#lib/schema/receive/hook.ts";
import { service } from "#lib/services/frame/service.ts";
import { rotateHookSecret } from "./rotate-hook-secret.ts";
import { updateHook } from "./update-hook.ts";

/** Adds what a hook lacks: its secret, and other values if the provider needs them. */
export const addMissingProof = service({
  permission: "hooks:write",
  input: z.strictObject({
    id: recordId,
    secret: secretRotationSchema.shape.secret.optional(),
    verification: hookPatchSchema.shape.verification,
  }),
  run: async (context, { id, secret, verification }): Promise<void> => {
    if (verification !== undefined) await updateHook(context, { id, verification });
    if (secret !== undefined) await rotateHookSecret(context, { id, secret });
  },
});
