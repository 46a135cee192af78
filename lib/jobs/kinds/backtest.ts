import {
  type LeasedBacktest,
  leaseBacktest,
  storeBacktestResults,
} from "#lib/db/backtests/work-backtests.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { BacktestBatch, Backtests } from "../backtest/backtests.ts";
import { defineJob, type Job } from "../job.ts";

/**
 * Evaluates a draft on past deliveries. A batch takes seconds, so it has a lease instead of a
 * transaction. Its results and its progress are written together.
 */
export function backtestJob(db: SqlDatabase, backtests: Backtests): Job {
  return defineJob<LeasedBacktest, BacktestBatch>({
    kind: "backtest",
    async lock(use) {
      const backtest = await leaseBacktest(db);
      if (backtest === null) return false;
      const { results, ...progress } = await use(backtest);
      await storeBacktestResults(db, backtest, results, progress);
      return true;
    },
    workBatch: (backtest) => backtests.evaluateBatch(backtest),
  });
}
