import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import {
  backtestAction,
  backtestNewAction,
  cancelBacktest,
  getBacktest,
  listBacktestResults,
  listBacktests,
} from "#lib/services/backtests.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { backtestResultView, backtestView } from "./backtest-view.ts";

const startsOne = { status: 202, maxBodyBytes: maxApiBodyBytes, exactNumbers: true } as const;
const alsoNeeds = "Also needs the scope `deliveries:read`.";

export const backtestRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/actions/{id}/backtests",
    operationId: "backtestAction",
    summary: "Backtest a change to an action",
    description: `What the draft omits stays as it is. It runs in the background. ${alsoNeeds}`,
    service: backtestAction,
    ...startsOne,
    view: backtestView,
    example: { draft: { filter: null }, last: 100 },
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/backtests",
    operationId: "backtestNewAction",
    summary: "Backtest an action that isn't saved yet",
    description: `Its \`draft\` has all fields of an Action. It runs in the background. ${alsoNeeds}`,
    service: backtestNewAction,
    ...startsOne,
    view: backtestView,
    example: {
      draft: { name: "Post order", request: { method: "POST", url: "https://example.com/orders" } },
      last: 100,
    },
  }),
  route({
    method: "GET",
    path: "/actions/{id}/backtests",
    operationId: "listBacktests",
    summary: "List the backtests of an action",
    service: listBacktests,
    view: pageView(backtestView),
  }),
  route({
    method: "GET",
    path: "/backtests/{id}",
    operationId: "getBacktest",
    summary: "Get a backtest",
    description: "With its progress and counts.",
    service: getBacktest,
    view: backtestView,
  }),
  route({
    method: "GET",
    path: "/backtests/{id}/results",
    operationId: "listBacktestResults",
    summary: "List what a draft would do for each delivery",
    description: "Newest delivery first. Filters: `outcome`, and `changed` (`true` or `false`).",
    service: listBacktestResults,
    view: pageView(backtestResultView),
  }),
  route({
    method: "POST",
    path: "/backtests/{id}/cancel",
    operationId: "cancelBacktest",
    summary: "Cancel a backtest",
    description: "What is done stays. Rejected with 409 if it has ended.",
    service: cancelBacktest,
    view: backtestView,
  }),
];
