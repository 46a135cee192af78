import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { requireTemplates } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import { orderOpenRuns } from "#lib/db/actions/action-control.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getVersion } from "#lib/db/actions/action-versions.ts";
import {
  changeAction,
  countActions,
  getAction,
  insertAction,
  lockAction,
  markActionDeleted,
  placeActions,
} from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { cancelBatchOfDeleted } from "#lib/db/hooks/purge-hooks.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { closeBreaker, readBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  type ActionInput,
  type ActionPatch,
  actionInputSchema,
  actionPatchSchema,
} from "#lib/schema/act/action.ts";
import { startedFrom, versionNote } from "#lib/schema/act/version.ts";
import type { BreakerState } from "#lib/schema/field/breaker.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { removeSavedDraft, takeDraft } from "#lib/services/drafts.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { type FormerKeys, requireTransforms, requireUses, toWork } from "./action-rules.ts";
import { readVersionNumber } from "./read-actions.ts";
import { saveVersion, toVersionPatch } from "./versions.ts";

/** Every accepted delivery queues a run of each, in the statement that stores the delivery. */
const maxActions = 100;

/**
 * Creates an action of a hook, after its others. Throws `template_invalid` with line and column, and
 * `invalid_request` for a URL that may not be called.
 */
export const createAction = service({
  permission: "hooks:write",
  input: actionInputSchema.safeExtend({ id: recordId }),
  run: async (context, { id: hookId, ...input }): Promise<ActionRecord> => {
    await requireTransforms(context.actor.accountId, input.steps);
    return await addAction(context, hookId, input);
  },
});

/**
 * Creates an action without loading its transforms, for callers that have loaded them. `alongWith`
 * runs in the same transaction, once the hook is locked.
 */
export async function addAction(
  context: ServiceContext,
  hookId: string,
  input: ActionInput,
  alongWith?: (tx: Transaction) => Promise<void>,
): Promise<ActionRecord> {
  const { db } = context;
  const { accountId } = context.actor;
  await getHook(db, accountId, hookId);
  const id = newId();
  requireOrder(input.order);
  const work = toWork(context, { owner: { id, accountId }, given: input, before: null });
  return await db.$transaction(async (tx) => {
    await lockHook(tx, accountId, hookId);
    await alongWith?.(tx);
    const uses = await requireUses(tx, accountId, work);
    const { count, next } = await countActions(tx, hookId);
    if (count >= maxActions)
      throw new AppError("conflict", `A hook has at most ${maxActions} actions.`);
    const position = input.position ?? next;
    await insertAction(tx, { ...input, ...work, ...uses, id, accountId, hookId, position });
    if (input.order !== null) await orderOpenRuns(tx, { id, accountId });
    const after = await getAction(tx, accountId, id);
    const targets = [{ type: "action", id, name: after.name }];
    await audit(context, { event: "action.created", targets }, tx);
    return await saveVersion(tx, context, { before: null, after });
  });
}

/** Throws `template_invalid` if the order key could never be rendered. */
function requireOrder(order: ActionInput["order"] | undefined): void {
  if (order) requireTemplates([{ path: "order.by", source: order.by }]);
}

/**
 * Changes an action, and releases it if it is held. Omitted fields stay. `request`, `steps`, and
 * `retry` are replaced as a whole, except for credentials that a call omits. Throws `conflict` if
 * the change started from an older version.
 */
export const updateAction = service({
  permission: "hooks:write",
  input: actionPatchSchema.safeExtend({ id: recordId, note: versionNote.optional() }),
  run: async (context, { id, note, ...patch }): Promise<ActionRecord> => {
    await requireTransforms(context.actor.accountId, patch.steps);
    return await applyPatch(context, id, patch, { note });
  },
});

type PatchOptions = {
  readonly formerKeys?: FormerKeys;
  /** The version that the change restores. Null: none. */
  readonly restoredFrom?: number | null;
  /** Why, for the version that the change makes. */
  readonly note?: string | null | undefined;
};

/** Changes an action without loading its transforms, for callers that have loaded them. */
async function applyPatch(
  context: ServiceContext,
  actionId: string,
  patch: ActionPatch,
  { formerKeys, restoredFrom = null, note = null }: PatchOptions = {},
): Promise<ActionRecord> {
  const { db } = context;
  const { accountId } = context.actor;
  const saved = await db.$transaction(async (tx) => {
    const before = await lockAction(tx, accountId, actionId);
    requireVersion(before, patch.version);
    requireOrder(patch.order);
    const work = toWork(context, { owner: before, given: patch, before, formerKeys });
    const uses = await requireUses(tx, accountId, work);
    const columns = { ...before, ...definedOf(patch), ...work, ...uses };
    await changeAction(tx, before.id, columns);
    if (patch.breaker !== undefined) await closeBreaker(tx, before.id);
    if (columns.order !== null && columns.order.by !== before.order?.by)
      await orderOpenRuns(tx, before);
    const after = await getAction(tx, accountId, actionId);
    const made = await saveVersion(tx, context, { before, after, restoredFrom, note });
    const targets = [{ type: "action", id: made.id, name: made.name }];
    const noted = note === null ? made : { ...made, note };
    await audit(context, { event: "action.updated", targets, before, after: noted }, tx);
    return made;
  });
  if (saved.enabled) notifyRunsDue(db);
  return saved;
}

/** Throws `conflict` if another user has saved the action since. */
function requireVersion({ version }: ActionRecord, startedFrom: number | undefined): void {
  if (startedFrom === undefined || startedFrom === version) return;
  throw new AppError(
    "conflict",
    `This action was changed after you opened it: it is at version ${version}, and your ` +
      `change started from version ${startedFrom}. Load the action again and repeat your change.`,
  );
}

type Defined = Omit<
  { [Name in keyof ActionPatch]?: Exclude<ActionPatch[Name], undefined> },
  "request" | "steps"
>;

function definedOf({ request: _request, steps: _steps, ...patch }: ActionPatch): Defined {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

type Restored = {
  readonly action: ActionRecord;
  /** The keys of calls whose credentials must be entered again. */
  readonly missingCredentials: readonly string[];
};

/**
 * Makes an action do what an earlier version did: a new version, with the current credentials that
 * still fit. Throws `not_found`, `conflict`, or what `updateAction` does.
 */
export const restoreVersion = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, number: recordId }),
  run: async (context, { id, number: text }): Promise<Restored> => {
    const { db, sealer, actor } = context;
    const number = readVersionNumber(text);
    const current = await getAction(db, actor.accountId, id);
    const stored = await getVersion(db, actor.accountId, id, number);
    const { patch, missingCredentials } = toVersionPatch(sealer, current, stored);
    const change = { ...patch, version: current.version };
    const action = await applyPatch(context, id, change, { restoredFrom: number });
    return { action, missingCredentials };
  },
});

/**
 * Deletes an action and its credentials. The first few thousand open runs are canceled with it.
 * `cancelRunsOfDeleted` cancels the rest, and any in flight, within about a minute.
 */
export const deleteAction = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const { name } = await lockAction(tx, actor.accountId, id);
      await markActionDeleted(tx, actor.accountId, id);
      await audit(
        context,
        { event: "action.deleted", targets: [{ type: "action", id, name }] },
        tx,
      );
    });
    await cancelBatchOfDeleted(db, { actionId: id });
  },
});

/** Reorders the actions of a hook. Those that are not named follow in their current order. */
export const orderActions = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, actionIds: z.array(z.uuid()).max(100) }),
  run: async (context, { id, actionIds }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const hook = await lockHook(tx, actor.accountId, id);
      await placeActions(tx, hook.id, actionIds);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.actions.ordered", targets }, tx);
    });
  },
});

/** Starts the runs that an open breaker or a held action keeps waiting. */
export const closeActionBreaker = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<BreakerState> => {
    const { db, actor } = context;
    const action = await getAction(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      await closeBreaker(tx, action.id);
      const targets = [{ type: "action", id, name: action.name }];
      await audit(context, { event: "action.breaker.closed", targets }, tx);
    });
    notifyRunsDue(db);
    return await readBreaker(db, action.id);
  },
});

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
    /** Why, for the version that the change makes. */
    note: versionNote.optional(),
  }),
  run: async (context, input): Promise<ActionRecord> => {
    const { hookId, actionId, formerKeys, draftSavedAtMs, version, note, ...draft } = input;
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
        : await applyPatch(context, actionId, { ...draft, version }, { formerKeys, note });
    await removeSavedDraft(db, actor, { hookId: saved.hookId, actionId });
    return saved;
  },
});
