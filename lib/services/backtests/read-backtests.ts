import { z } from "zod";
import { getAction } from "#lib/db/actions/actions.ts";
import { listBacktestResults as findResults } from "#lib/db/backtests/backtest-results.ts";
import {
  getBacktest as findBacktest,
  listBacktests as findBacktests,
} from "#lib/db/backtests/backtests.ts";
import {
  backtestOutcomes,
  backtestResultQuerySchema,
  backtestShows,
} from "#lib/schema/act/backtest.ts";
import { byId, pageFields, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { ListedResult } from "#lib/db/backtests/backtest-results.ts";
export type { BacktestRecord } from "#lib/db/backtests/backtests.ts";

/** Returns a backtest of the account. Throws `not_found`. */
export const getBacktest = service({
  permission: "deliveries:read",
  input: byId,
  run: ({ db, actor }, { id }) => findBacktest(db, actor.accountId, id),
});

const pageSize = 25;

/** A backtest with a page of the results to show. */
export const showBacktest = service({
  permission: "deliveries:read",
  input: z.strictObject({
    id: recordId,
    show: z.enum(backtestShows),
    cursor: pageFields.cursor,
  }),
  run: async ({ db, actor }, { id, show, cursor }) => {
    const backtest = await findBacktest(db, actor.accountId, id);
    const filter = {
      outcome: backtestOutcomes.find((outcome) => outcome === show),
      changed: show === "changed" ? true : undefined,
      isNewFail: show === "new_fail",
    };
    const page = { limit: pageSize, cursor };
    return { backtest, page: await findResults(db, actor.accountId, backtest.id, filter, page) };
  },
});

/** The backtests of an action, newest first. */
export const listBacktests = service({
  permission: "deliveries:read",
  input: z.strictObject({ ...pageFields, id: recordId }),
  run: async ({ db, actor }, { id, ...page }) => {
    const action = await getAction(db, actor.accountId, id);
    return await findBacktests(db, actor.accountId, action.id, page);
  },
});

/** The results of a backtest, one per delivery, newest first. */
export const listBacktestResults = service({
  permission: "deliveries:read",
  input: backtestResultQuerySchema.extend({ id: recordId }),
  run: ({ db, actor }, { id, outcome, changed, ...page }) =>
    findResults(db, actor.accountId, id, { outcome, changed }, page),
});
