import { AppError } from "#lib/base/errors.ts";
import { type DraftOwner, deleteDraft, findDraft } from "#lib/db/actions/action-drafts.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { draftPlaceSchema, type StoredDraft } from "#lib/schema/act/draft.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { service } from "#lib/services/frame/service.ts";
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
  db: Database,
  actor: Actor,
  place: DraftPlace,
): Promise<void> {
  const owner = toOwner(actor, place);
  if (owner !== null) await deleteDraft(db, owner);
}

/**
 * Removes the draft that becomes a new action, in the transaction that saves it. Throws `conflict` if
 * it isn't as it was stored: a repeated request or a second tab would save it twice.
 */
export async function takeDraft(
  tx: Transaction,
  actor: Actor,
  { storedAtMs, ...place }: DraftPlace & { readonly storedAtMs: number },
): Promise<void> {
  const owner = toOwner(actor, place);
  if (owner === null) return;
  const found = await findDraft(tx, owner);
  if (found === null)
    throw new AppError(
      "conflict",
      "This draft was already saved or discarded. Check the hook's actions. To save it as another one, " +
        "change something first.",
    );
  if (found.updatedAt.getTime() !== storedAtMs)
    throw new AppError(
      "conflict",
      "This draft was changed in another tab. Choose the one to keep, then save it.",
    );
  await deleteDraft(tx, owner);
}

function toOwner(actor: Actor, { hookId, actionId }: DraftPlace): DraftOwner | null {
  if (actor.type !== "user") return null;
  const { accountId, userId } = actor;
  return { accountId, userId, hookId, actionId };
}
