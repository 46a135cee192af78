import type { Page } from "#lib/core/api/page.ts";
import { backtestShows } from "#lib/schema/act/backtest.ts";
import {
  type BacktestRecord,
  type ListedResult,
  type ResultGroup,
  showBacktest,
} from "#lib/services/backtests.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { nullIfNotFound } from "#lib/web/request/is-gone.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";

/** A backtest with the ways in which its results differ. Throws `not_found`. */
export async function readBacktest(
  context: ServiceContext,
  backtestId: string,
  params: SearchParams,
) {
  const show = backtestShows.find((name) => name === params.show) ?? "";
  const shown = await showBacktest(context, { id: backtestId, show });
  const { id, hookId, actionId } = shown.backtest;
  const [hook, action] = await Promise.all([
    readHook(context, hookId),
    actionId === null ? null : readAction(context, actionId).catch(nullIfNotFound),
  ]);
  return {
    ...toBacktestPage(shown),
    path: `/backtests/${id}`,
    show,
    hook: { id: hook.id, name: hook.name },
    action: action === null ? null : { id: action.id, name: action.name, version: action.version },
  };
}

type Shown = { readonly backtest: BacktestRecord; readonly groups: readonly ResultGroup[] };

/** A backtest with the ways in which its results differ, as the page and the editor show it. */
export function toBacktestPage({ backtest, groups }: Shown) {
  return {
    nowMs: Date.now(),
    backtest,
    groups: groups.map(({ count, example }) => ({ count, example: toResult(example) })),
  };
}

/** A page of results that differ in one way. */
export function toResultPage({ items, nextCursor }: Page<ListedResult>) {
  return { results: items.map(toResult), nextCursor, nowMs: Date.now() };
}

function toResult({ details, delivery, ...result }: ListedResult) {
  return {
    ...result,
    ...details,
    receivedAt: delivery?.receivedAt ?? null,
    eventType: delivery?.eventType ?? null,
    eventId: delivery?.eventId ?? null,
  };
}
