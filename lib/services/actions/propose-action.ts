import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { actionDraftPlace } from "#lib/core/people/seal/seal-places.ts";
import { findDraft, targetOf, upsertDraft } from "#lib/db/actions/action-drafts.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { actionInputSchema, actionPatchSchema } from "#lib/schema/act/action.ts";
import { draftSchema } from "#lib/schema/act/draft.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { requirePerson } from "#lib/services/account/person.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireTransforms, requireUses, toWork } from "./action-rules.ts";

/** An action as it would be saved. */
export type ProposedAction = Omit<
  ActionRecord,
  "position" | "createdAt" | "updatedAt" | "version"
> & {
  /** Null: the last one. */
  readonly position: number | null;
};

type Checked = {
  readonly action: ProposedAction;
  /** The version that the change started from. Null: the action is new. */
  readonly version: number | null;
};

/** Checks a change to an action as saving does, and returns what it would make. Saves nothing. */
export const checkChange = service({
  permission: "hooks:write",
  input: z.strictObject({ actionId: recordId, draft: actionPatchSchema }),
  run: async (context, { actionId, draft }): Promise<Checked> => {
    const { accountId } = context.actor;
    const before = await getAction(context.db, accountId, actionId);
    await requireTransforms(accountId, draft.steps);
    const work = toWork(context, { owner: before, given: draft, before });
    await checkUses(context, work);
    const { request: _request, steps: _steps, version: _version, ...patch } = draft;
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const action = { ...before, ...Object.fromEntries(given), ...work };
    return { action, version: before.version };
  },
});

/** Checks a new action of a hook as saving does, and returns what it would make. Saves nothing. */
export const checkNewAction = service({
  permission: "hooks:write",
  input: z.strictObject({ hookId: recordId, draft: actionInputSchema }),
  run: async (context, { hookId, draft }): Promise<Checked> => {
    const { accountId } = context.actor;
    const hook = await getHook(context.db, accountId, hookId);
    await requireTransforms(accountId, draft.steps);
    const id = newId();
    const work = toWork(context, { owner: { id, accountId }, given: draft, before: null });
    await checkUses(context, work);
    const { position = null } = draft;
    return {
      action: { ...draft, ...work, id, accountId, hookId: hook.id, position },
      version: null,
    };
  },
});

async function checkUses(
  { db, actor }: ServiceContext,
  work: Parameters<typeof requireUses>[2],
): Promise<void> {
  await db.$transaction(async (tx) => {
    await requireUses(tx, actor.accountId, work);
  });
}

/**
 * Leaves a draft in the editor of the person who made the token, for them to look at and save. Throws `conflict`
 * if they have one of their own there: it is never overwritten.
 */
export const storeProposal = service({
  permission: "hooks:write",
  input: draftSchema.omit({ revision: true }),
  run: async (context, { hookId, actionId, version, content }): Promise<void> => {
    const { db, sealer, actor, now } = context;
    const { accountId } = actor;
    const userId = requirePerson(actor, noPerson);
    const owner = { accountId, userId, hookId, actionId };
    if ((await findDraft(db, owner)) !== null) throw new AppError("conflict", hasDraft);
    const place = actionDraftPlace(accountId, { userId, targetId: targetOf(owner) });
    const change = {
      ...{ version, before: null, updatedAt: now() },
      content: sealer.seal(Buffer.from(content), place),
    };
    if ((await upsertDraft(db, owner, change)) === null) throw new AppError("conflict", hasDraft);
    const targets = [
      actionId === null ? { type: "hook", id: hookId } : { type: "action", id: actionId },
    ];
    await db.$transaction((tx) => audit(context, { event: "action.proposed", targets }, tx));
  },
});

const noPerson =
  "This API token belongs to no one, so there is no one to leave a draft for. Use a token that a person created.";
const hasDraft =
  "The person who created this token has an unsaved draft of this action. They have to save or discard it first.";
