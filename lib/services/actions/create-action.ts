import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { requireTemplates } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import { orderOpenRuns } from "#lib/db/actions/action-control.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { countActions, getAction, insertAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { type ActionInput, actionInputSchema } from "#lib/schema/act/action.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireTransforms } from "./require-transforms.ts";
import { requireUses } from "./require-uses.ts";
import { saveVersion } from "./save-version.ts";
import { toWork } from "./to-work.ts";

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
export function requireOrder(order: ActionInput["order"] | undefined): void {
  if (order) requireTemplates([{ path: "order.by", source: order.by }]);
}
