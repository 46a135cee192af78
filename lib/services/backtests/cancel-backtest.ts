import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import {
  type BacktestRecord,
  getBacktest,
  markBacktestCancelled,
} from "#lib/db/backtests/backtests.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Stops a backtest. Its results so far stay. Throws `conflict` if it has ended. */
export const cancelBacktest = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<BacktestRecord> => {
    const { db, actor } = context;
    await getBacktest(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markBacktestCancelled(tx, actor.accountId, id)))
        throw new AppError("conflict", "This backtest has already ended, so it can't be canceled.");
      const targets = [{ type: "backtest", id }];
      await audit(context, { event: "backtest.cancelled", targets }, tx);
    });
    return await getBacktest(db, actor.accountId, id);
  },
});
