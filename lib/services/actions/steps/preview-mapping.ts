import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { type ActionPatch, actionPatchSchema } from "#lib/schema/act/action.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";
import { type ChangedWork, previewChange } from "./preview-step.ts";

/** What a change to an action, or a new one of a hook, would send for a stored delivery. Sends nothing. */
export const previewMapping = service({
  permission: "deliveries:read",
  input: z.strictObject({
    /** The hook of a new action. */
    hookId: recordId.optional(),
    actionId: recordId.optional(),
    deliveryId: recordId,
    draft: actionPatchSchema,
    step: z.string().max(64).optional(),
    item: z.int().min(0).max(999).default(0),
  }),
  run: async (context, { hookId, actionId, deliveryId, draft, step, item }) => {
    authorize(context.actor, "hooks:read");
    const { accountId } = context.actor;
    const saved = actionId === undefined ? null : await getAction(context.db, accountId, actionId);
    const of = saved?.hookId ?? hookId;
    if (of === undefined) throw invalidField("hookId", "is required, or actionId", "required");
    const place = { hookId: of, actionId: saved?.id ?? null, deliveryId };
    const work = applyDraft(saved, draft);
    if (work.request === null && work.steps === null)
      throw invalidField("draft.request", "is required, or steps", "required");
    return await previewChange(context, accountId, place, { ...work, key: step, item });
  },
});

type Saved = Omit<ChangedWork, "key" | "item"> | null;

const usualTimeoutMs = 15_000;

function applyDraft(saved: Saved, { request, steps, filter, timeoutMs }: ActionPatch) {
  const isReplaced = request !== undefined || steps !== undefined;
  return {
    filter: filter === undefined ? (saved?.filter ?? null) : filter,
    request: isReplaced ? (request ?? null) : (saved?.request ?? null),
    steps: isReplaced ? (steps ?? null) : (saved?.steps ?? null),
    timeoutMs: timeoutMs ?? saved?.timeoutMs ?? usualTimeoutMs,
  };
}
