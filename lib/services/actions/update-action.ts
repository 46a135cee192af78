import { AppError } from "#lib/base/errors.ts";
import { orderOpenRuns } from "#lib/db/actions/action-control.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { changeAction, getAction, lockAction } from "#lib/db/actions/actions.ts";
import { closeBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { type ActionPatch, actionPatchSchema } from "#lib/schema/act/action.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireOrder } from "./create-action.ts";
import { requireTransforms } from "./require-transforms.ts";
import { requireUses } from "./require-uses.ts";
import { saveVersion } from "./save-version.ts";
import { type FormerKeys, toWork } from "./to-work.ts";

/**
 * Changes an action, and releases it if it is held. Omitted fields stay. `request`, `steps`, and
 * `retry` are replaced as a whole, except for credentials that a call omits. Throws `conflict` if
 * the change started from an older version.
 */
export const updateAction = service({
  permission: "hooks:write",
  input: actionPatchSchema.safeExtend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<ActionRecord> => {
    await requireTransforms(context.actor.accountId, patch.steps);
    return await applyPatch(context, id, patch);
  },
});

type PatchOptions = {
  readonly formerKeys?: FormerKeys;
  /** The version that the change restores. Null: none. */
  readonly restoredFrom?: number | null;
};

/** Changes an action without loading its transforms, for callers that have loaded them. */
export async function applyPatch(
  context: ServiceContext,
  actionId: string,
  patch: ActionPatch,
  { formerKeys, restoredFrom = null }: PatchOptions = {},
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
    const made = await saveVersion(tx, context, { before, after, restoredFrom });
    const targets = [{ type: "action", id: made.id, name: made.name }];
    await audit(context, { event: "action.updated", targets, before, after: made }, tx);
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
