import { deleteDraft } from "#lib/db/actions/action-drafts.ts";
import { draftPlaceSchema, type StoredDraft } from "#lib/schema/action/draft.ts";
import { type ServiceContext, service } from "#lib/services/service.ts";
import { type DraftPlace, requireDraftOwner } from "./draft-owner.ts";

/** Removes the signed-in person's draft of an action, if there is one. */
export const discardDraft = service({
  permission: "hooks:write",
  input: draftPlaceSchema,
  run: async (context, place): Promise<StoredDraft> => {
    const { owner, currentVersion } = await requireDraftOwner(context, place);
    await deleteDraft(context.db, owner);
    const savedAtMs = context.now().getTime();
    return { isStored: true, revision: null, savedAtMs, currentVersion };
  },
});

/** Removes the draft that the actor has just saved. Programs have none. */
export async function removeSavedDraft(
  { db, actor }: ServiceContext,
  { hookId, actionId }: DraftPlace,
): Promise<void> {
  if (actor.type !== "user") return;
  const { accountId, userId } = actor;
  await deleteDraft(db, { accountId, userId, hookId, actionId });
}
