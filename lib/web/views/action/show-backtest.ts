import type { ListedResult } from "#lib/db/backtests/backtest-results.ts";
import type { BacktestRecord } from "#lib/db/backtests/backtests.ts";

/** A backtest in the API's responses. */
export function showBacktest(backtest: BacktestRecord) {
  const { id, hookId, actionId, status, total, doneCount, createdAt, finishedAt } = backtest;
  const { runCount, skipCount, failCount, changedCount } = backtest;
  const counts = { run: runCount, skip: skipCount, fail: failCount, changed: changedCount };
  return { id, hookId, actionId, status, total, doneCount, counts, createdAt, finishedAt };
}

export function showBacktestResult(result: ListedResult) {
  const { deliveryId, outcome, currentOutcome, isChanged, reason, details, delivery } = result;
  const { receivedAt = null, eventType = null, eventId = null } = delivery ?? {};
  return {
    deliveryId,
    receivedAt,
    eventType,
    eventId,
    outcome,
    currentOutcome,
    changed: isChanged,
    reason,
    ...details,
  };
}
