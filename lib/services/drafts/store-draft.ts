import { AppError } from "#lib/base/errors.ts";
import { actionDraftPlace } from "#lib/core/people/seal/seal-places.ts";
import { findDraft, targetOf, upsertDraft } from "#lib/db/actions/action-drafts.ts";
import { draftSchema, type StoredDraft } from "#lib/schema/act/draft.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireDraftOwner } from "./draft-owner.ts";

/**
 * Stores what a person has typed into an action's editor, sealed, as the action's only draft of
 * this person. A tab can't overwrite what another one has stored: it gets the revision of that.
 */
export const storeDraft = service({
  permission: "hooks:write",
  input: draftSchema,
  run: async (context, { version, revision, content, ...place }): Promise<StoredDraft> => {
    const { db, sealer, now } = context;
    const { owner, currentVersion } = await requireDraftOwner(context, place);
    const { accountId, userId } = owner;
    const sealed = sealer.seal(
      Buffer.from(content),
      actionDraftPlace(accountId, { userId, targetId: targetOf(owner) }),
    );
    const updatedAt = now();
    const change = { version, before: revision, content: sealed, updatedAt };
    const stored = await upsertDraft(db, owner, change);
    if (stored !== null)
      return { isStored: true, revision: stored, savedAtMs: updatedAt.getTime(), currentVersion };
    const other = await findDraft(db, owner);
    if (other === null)
      throw new AppError("conflict", "The draft was discarded in another tab. Try again.");
    const savedAtMs = other.updatedAt.getTime();
    return { isStored: false, revision: other.revision, savedAtMs, currentVersion };
  },
});
