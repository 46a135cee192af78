import { AppError } from "#lib/base/errors.ts";
import type { DraftOwner } from "#lib/db/actions/action-drafts.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { requireUser } from "#lib/services/account/require-user.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

export type DraftPlace = { readonly hookId: string; readonly actionId: string | null };

/**
 * The owner of a draft: the signed-in person. Programs have none. Throws `not_found` if there is no
 * such action.
 */
export async function requireDraftOwner(
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
