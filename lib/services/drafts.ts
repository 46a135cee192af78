import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { actionDraftPlace } from "#lib/core/people/seal/seal-places.ts";
import {
  type DraftOwner,
  deleteDraft,
  findDraft as findRow,
  listDrafts as listRows,
  targetOf,
  upsertDraft,
} from "#lib/db/actions/action-drafts.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { draftPlaceSchema, draftSchema, type StoredDraft } from "#lib/schema/act/draft.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { requireUser } from "#lib/services/account/person.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

type FoundDraft = {
  /** The editor's fields as JSON. Null: they can't be opened, because the secret key has changed. */
  readonly content: string | null;
  readonly version: number | null;
  readonly revision: number;
  readonly updatedAt: Date;
};

/** The signed-in person's draft of an action, or of a hook's new one. */
export const findDraft = service({
  permission: "hooks:write",
  input: draftPlaceSchema,
  run: async (context, place): Promise<FoundDraft | null> => {
    const { owner } = await requireDraftOwner(context, place);
    const found = await findRow(context.db, owner);
    if (found === null) return null;
    const { content, ...draft } = found;
    const { accountId, userId } = owner;
    const sealPlace = actionDraftPlace(accountId, { userId, targetId: targetOf(owner) });
    const opened = context.sealer.open(content, sealPlace);
    return { ...draft, content: opened.ok ? Buffer.from(opened.plaintext).toString() : null };
  },
});

/** The signed-in person's drafts of the actions of a hook. */
export const listDrafts = service({
  permission: "hooks:write",
  input: z.strictObject({ hookId: recordId }),
  run: async ({ db, actor }, { hookId }) => {
    const { accountId, userId } = requireUser(actor);
    return await listRows(db, { accountId, userId, hookId });
  },
});

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
    const other = await findRow(db, owner);
    if (other === null)
      throw new AppError("conflict", "The draft was discarded in another tab. Try again.");
    const savedAtMs = other.updatedAt.getTime();
    return { isStored: false, revision: other.revision, savedAtMs, currentVersion };
  },
});

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
  const found = await findRow(tx, owner);
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

type DraftPlace = { readonly hookId: string; readonly actionId: string | null };

/**
 * The owner of a draft: the signed-in person. Programs have none. Throws `not_found` if there is no
 * such action.
 */
async function requireDraftOwner(
  { db, actor }: ServiceContext,
  { hookId, actionId }: DraftPlace,
): Promise<{ readonly owner: DraftOwner; readonly currentVersion: number | null }> {
  const { accountId, userId } = requireUser(actor);
  if (actionId === null) {
    const hook = await getHook(db, accountId, hookId);
    return { owner: { accountId, userId, hookId: hook.id, actionId }, currentVersion: null };
  }
  const action = await getAction(db, accountId, actionId);
  if (action.hookId !== hookId) throw new AppError("not_found", "This hook has no such action.");
  return {
    owner: { accountId, userId, hookId, actionId: action.id },
    currentVersion: action.version,
  };
}
