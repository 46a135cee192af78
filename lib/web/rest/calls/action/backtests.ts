import { z } from "zod";
import { getAction } from "#lib/db/actions/actions.ts";
import { listBacktestResults } from "#lib/db/backtests/backtest-results.ts";
import { cancelBacktest, getBacktest, listBacktests } from "#lib/db/backtests/backtests.ts";
import {
  actionBacktestSchema,
  backtestResultQuerySchema,
  hookBacktestSchema,
} from "#lib/schema/backtest.ts";
import { pageFields } from "#lib/schema/field/common.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { backtestAction, backtestNewAction } from "#lib/web/services/start-backtest.ts";
import { showBacktest, showBacktestResult } from "#lib/web/views/action/show-backtest.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const postActionBacktest = endpoint({
  scope: "hooks:write",
  body: actionBacktestSchema,
  exactNumbers: true,
  maxBodyBytes: maxApiBodyBytes,
  status: 202,
  handle: async ({ context, accountId, id, body, requireScope }) => {
    // Its results show what deliveries contain.
    requireScope("deliveries:read");
    return showBacktest(await backtestAction(context, accountId, id, body));
  },
});

export const postHookBacktest = endpoint({
  scope: "hooks:write",
  body: hookBacktestSchema,
  exactNumbers: true,
  maxBodyBytes: maxApiBodyBytes,
  status: 202,
  handle: async ({ context, accountId, id, body, requireScope }) => {
    requireScope("deliveries:read");
    return showBacktest(await backtestNewAction(context, accountId, id, body));
  },
});

export const getActionBacktests = endpoint({
  scope: "deliveries:read",
  query: z.strictObject(pageFields),
  handle: async ({ context: { db }, accountId, id, query }) => {
    const action = await getAction(db, accountId, id);
    return showPage(await listBacktests(db, accountId, action.id, query), showBacktest);
  },
});

export const getOneBacktest = endpoint({
  scope: "deliveries:read",
  handle: async ({ context: { db }, accountId, id }) =>
    showBacktest(await getBacktest(db, accountId, id)),
});

export const getBacktestResults = endpoint({
  scope: "deliveries:read",
  query: backtestResultQuerySchema,
  handle: async ({ context: { db }, accountId, id, query }) =>
    showPage(await listBacktestResults(db, accountId, id, query, query), showBacktestResult),
});

export const postCancelBacktest = endpoint({
  scope: "hooks:write",
  handle: async ({ context: { db }, accountId, id }) =>
    showBacktest(await cancelBacktest(db, accountId, id)),
});
