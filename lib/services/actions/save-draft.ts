import { z } from "zod";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { startedFrom } from "#lib/schema/act/version.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { removeSavedDraft, takeDraft } from "#lib/services/drafts.ts";
import { service } from "#lib/services/frame/service.ts";
import { addAction } from "./create-action.ts";
import { requireTransforms } from "./require-transforms.ts";
import { applyPatch } from "./update-action.ts";

const stepKey = z.string().max(64);

/**
 * Saves what the editor has: a new action of the hook, or a change to one. The person's stored
 * draft is done with.
 */
export const saveDraft = service({
  permission: "hooks:write",
  input: actionInputSchema.safeExtend({
    hookId: recordId,
    /** Null: the action isn't saved yet. */
    actionId: recordId.nullable(),
    /** Former keys of steps that were renamed in the draft, which keep their credentials. */
    formerKeys: z.record(stepKey, stepKey),
    /**
     * When the draft of a new action was stored. If it isn't there any more, it was saved already,
     * and a second save would make a second action. Null: it isn't stored.
     */
    draftSavedAtMs: z.int().nullable(),
    /** The one that the draft started from. */
    version: startedFrom.optional(),
  }),
  run: async (context, input): Promise<ActionRecord> => {
    const { hookId, actionId, formerKeys, draftSavedAtMs, version, ...draft } = input;
    const { db, actor } = context;
    await requireTransforms(actor.accountId, draft.steps);
    const place = { hookId, actionId };
    if (actionId === null && draftSavedAtMs !== null)
      return await addAction(context, hookId, draft, (tx) =>
        takeDraft(tx, actor, { ...place, storedAtMs: draftSavedAtMs }),
      );
    const saved =
      actionId === null
        ? await addAction(context, hookId, draft)
        : await applyPatch(context, actionId, { ...draft, version }, { formerKeys });
    await removeSavedDraft(db, actor, { hookId: saved.hookId, actionId });
    return saved;
  },
});
