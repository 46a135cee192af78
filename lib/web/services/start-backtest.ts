import { toWork } from "#lib/db/actions/action-work.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { type BacktestRecord, createBacktest } from "#lib/db/backtests/backtests.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { newId } from "#lib/ids.ts";
import type { ActionBacktest, HookBacktest } from "#lib/schema/backtest.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { requireTransforms } from "./require-transforms.ts";

/**
 * Starts a backtest of a change to an action. The draft is checked as on saving, and its stored
 * credentials are kept under the same rule.
 */
export async function backtestAction(
  { db, sealer, env }: ServerContext,
  accountId: string,
  actionId: string,
  { draft, ...set }: ActionBacktest,
): Promise<BacktestRecord> {
  const current = await getAction(db, accountId, actionId);
  await requireTransforms(accountId, draft.steps);
  const work = toWork(current, draft, current, { sealer, allowList: env.egressAllow });
  const filter = draft.filter === undefined ? current.filter : draft.filter;
  const { hookId } = current;
  return await createBacktest(db, accountId, {
    id: newId(),
    hookId,
    draft: { ...work, filter },
    current,
    set,
  });
}

/** The same of an action that isn't saved yet. There is nothing to compare it with. */
export async function backtestNewAction(
  { db, sealer, env }: ServerContext,
  accountId: string,
  hookId: string,
  { draft, ...set }: HookBacktest,
): Promise<BacktestRecord> {
  const hook = await getHook(db, accountId, hookId);
  await requireTransforms(accountId, draft.steps);
  const id = newId();
  const work = toWork({ id, accountId }, draft, null, { sealer, allowList: env.egressAllow });
  return await createBacktest(db, accountId, {
    id,
    hookId: hook.id,
    draft: { ...work, filter: draft.filter },
    current: null,
    set,
  });
}
