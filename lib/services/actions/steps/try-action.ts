import { previewSchema } from "#lib/schema/act/preview.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";
import { previewAction as previewSaved } from "./preview-action.ts";
import { previewStep } from "./preview-step.ts";
import { runStep } from "./run-step.ts";
import { stepDraftSchema } from "./step-draft-input.ts";

/** The request that an action would send, or why it would send none. */
export const previewAction = service({
  permission: "hooks:read",
  input: previewSchema.safeExtend({ id: recordId }),
  run: async (context, { id, ...input }) => {
    // The preview shows what the delivery contains.
    if (input.deliveryId !== undefined) authorize(context.actor, "deliveries:read");
    return await previewSaved(context, context.actor.accountId, id, input);
  },
});

/** A step of the editor, and the delivery to try it on. */
const draftInput = stepDraftSchema.extend({
  hookId: recordId,
  /** Null: the action isn't saved yet. */
  actionId: recordId.nullable(),
  deliveryId: recordId,
});

/** Shows what a step of the editor would do for a delivery. Sends nothing. */
export const previewDraftStep = service({
  permission: "deliveries:read",
  input: draftInput,
  run: async (context, { hookId, actionId, deliveryId, ...step }) => {
    const place = { hookId, actionId, deliveryId };
    return await previewStep(context, context.actor.accountId, place, step);
  },
});

/** Makes the call of a step of the editor once. */
export const runDraftStep = service({
  permission: "hooks:write",
  input: draftInput,
  run: async (context, { hookId, actionId, deliveryId, ...step }) => {
    authorize(context.actor, "deliveries:read");
    const place = { hookId, actionId, deliveryId };
    return await runStep(context, context.actor.accountId, place, step);
  },
});
