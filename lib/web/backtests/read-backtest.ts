import type { Page } from "#lib/core/api/page.ts";
import { backtestShows } from "#lib/schema/act/backtest.ts";
import { type BacktestRecord, type ListedResult, showBacktest } from "#lib/services/backtests.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { nullIfNotFound } from "#lib/web/request/or-not-found.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";

/** A backtest with a page of its results, and links to others. Throws `not_found`. */
export async function readBacktest(
  context: ServiceContext,
  backtestId: string,
  params: SearchParams,
) {
  const show = backtestShows.find((name) => name === params.show) ?? "";
  const cursor = typeof params.cursor === "string" ? params.cursor : undefined;
  const trail = typeof params.trail === "string" ? params.trail.split(".") : [];
  const shown = await showBacktest(context, { id: backtestId, show, cursor });
  const { id, hookId, actionId } = shown.backtest;
  const path = `/backtests/${id}`;
  const [hook, action] = await Promise.all([
    readHook(context, hookId),
    actionId === null ? null : readAction(context, actionId).catch(nullIfNotFound),
  ]);
  const place = { values: { show }, cursor, trail: trail.filter((step) => step !== "") };
  return {
    ...toBacktestPage(shown),
    path,
    show,
    hook: { id: hook.id, name: hook.name },
    action: action === null ? null : { id: action.id, name: action.name, version: action.version },
    links: pageLinks(path, place, shown.page.nextCursor),
  };
}

type Shown = { readonly backtest: BacktestRecord; readonly page: Page<ListedResult> };

/** A backtest with a page of its results, as the page and the editor show it. */
export function toBacktestPage({ backtest, page }: Shown) {
  return {
    nowMs: Date.now(),
    backtest,
    nextCursor: page.nextCursor,
    results: page.items.map(({ details, delivery, ...result }) => ({
      ...result,
      ...details,
      receivedAt: delivery?.receivedAt ?? null,
      eventType: delivery?.eventType ?? null,
    })),
  };
}
