import { listBacktestResults } from "#lib/db/backtests/backtest-results.ts";
import { getBacktest } from "#lib/db/backtests/backtests.ts";
import { AppError } from "#lib/errors.ts";
import { backtestOutcomes } from "#lib/schema/backtest.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

const pageSize = 25;

/** A backtest with a page of its results. Throws `not_found`. */
export async function readBacktest(
  context: ServerContext,
  accountId: string,
  backtestId: string,
  params: SearchParams,
) {
  const { db } = context;
  const backtest = await getBacktest(db, accountId, backtestId);
  const show = [...backtestOutcomes, "changed"].find((name) => name === params.show) ?? "";
  const outcome = backtestOutcomes.find((name) => name === show);
  const filter = { outcome, changed: show === "changed" ? true : undefined };
  const cursor = typeof params.cursor === "string" ? params.cursor : undefined;
  const trail = typeof params.trail === "string" ? params.trail.split(".") : [];
  const path = `/backtests/${backtest.id}`;
  const [hook, action, page] = await Promise.all([
    readHook(context, accountId, backtest.hookId),
    backtest.actionId === null
      ? null
      : readAction(context, accountId, backtest.actionId).catch(nullIfGone),
    listBacktestResults(db, accountId, backtest.id, filter, { limit: pageSize, cursor }),
  ]);
  const place = { values: { show }, cursor, trail: trail.filter((step) => step !== "") };
  return {
    nowMs: Date.now(),
    backtest,
    hook: { id: hook.id, name: hook.name },
    action: action === null ? null : { id: action.id, name: action.name },
    filters: listFilters(path, show, backtest),
    results: page.items.map(({ details, delivery, ...result }) => ({
      ...result,
      ...details,
      receivedAt: delivery?.receivedAt ?? null,
      eventType: delivery?.eventType ?? null,
    })),
    links: pageLinks(path, place, page.nextCursor),
  };
}

function listFilters(
  path: string,
  show: string,
  counts: Awaited<ReturnType<typeof getBacktest>>,
): readonly { readonly href: string; readonly name: string; readonly isCurrent: boolean }[] {
  const all = [
    ["", "All", counts.doneCount],
    ["run", "Would run", counts.runCount],
    ["skip", "Would skip", counts.skipCount],
    ["fail", "Would fail", counts.failCount],
    ...(counts.actionId === null ? [] : [["changed", "Changed", counts.changedCount] as const]),
  ] as const;
  return all.map(([value, name, count]) => ({
    href: value === "" ? path : `${path}?show=${value}`,
    name: `${name} ${count.toLocaleString("en")}`,
    isCurrent: show === value,
  }));
}

function nullIfGone(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
