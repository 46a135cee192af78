import { toWork } from "#lib/db/actions/action-work.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { type BacktestRecord, createBacktest } from "#lib/db/backtests/backtests.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { newId } from "#lib/ids.ts";
import type { ActionBacktest, HookBacktest } from "#lib/schema/backtest.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { actionRules } from "./action-rules.ts";
import { requireTransforms } from "./require-transforms.ts";

/**
 * Starts a backtest of a change to an action. The draft is checked as on saving, and its stored
 * credentials are kept under the same rule.
 */
export async function backtestAction(
  context: ServerContext,
  accountId: string,
  actionId: string,
  { draft, ...set }: ActionBacktest,
  /** Of steps that were renamed in the draft: they keep their credentials. */
  formerKeys?: Readonly<Record<string, string>>,
): Promise<BacktestRecord> {
  const { db } = context;
  const current = await getAction(db, accountId, actionId);
  await requireTransforms(accountId, draft.steps);
  const rules = { ...actionRules(context, noAuthor), ...(formerKeys && { formerKeys }) };
  const work = toWork(current, draft, current, rules);
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
  context: ServerContext,
  accountId: string,
  hookId: string,
  { draft, ...set }: HookBacktest,
): Promise<BacktestRecord> {
  const { db } = context;
  const hook = await getHook(db, accountId, hookId);
  await requireTransforms(accountId, draft.steps);
  const id = newId();
  const work = toWork({ id, accountId }, draft, null, actionRules(context, noAuthor));
  return await createBacktest(db, accountId, {
    id,
    hookId: hook.id,
    draft: { ...work, filter: draft.filter },
    current: null,
    set,
  });
}

/** Nothing is saved, so it has no author. */
const noAuthor = "";
