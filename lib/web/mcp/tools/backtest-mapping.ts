import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { backtestShows } from "#lib/schema/act/backtest.ts";
import {
  type BacktestRecord,
  backtestAction,
  backtestNewAction,
  getBacktest,
  showBacktest,
} from "#lib/services/backtests.ts";
import { fitItems } from "../frame/result.ts";
import { id, maxBytes, type ToolCall, tool } from "../frame/tool.ts";
import { quote } from "../frame/visible-text.ts";
import { mappingFields, readChange, readNewAction } from "./mapping-input.ts";

const maxDeliveries = 500;
/** Most backtests of this size end in it. A longer one is asked for again. */
const maxWaitMs = 20_000;
const pauseMs = 250;

export const backtestMapping = tool({
  name: "backtest_mapping",
  title: "Backtest a mapping",
  description:
    "Says what a change to an action would have done with past deliveries, compared with the saved one. " +
    "Sends nothing. " +
    "While it runs, the result says how to ask again.",
  permissions: ["hooks:write", "deliveries:read"],
  input: z.strictObject({
    ...mappingFields,
    backtestId: id.optional().describe("One that was started, instead of a draft"),
    last: z.int().min(1).max(maxDeliveries).default(100).describe("Newest deliveries to try"),
    show: z.enum(backtestShows).default("").describe("Only these results"),
    maxBytes,
  }),
  run: async (call, input) => {
    const { context } = call;
    const { show, maxBytes: room } = input;
    const started = await startOrFind(call, input);
    const done = await waitForEnd(call, started);
    const { id: backtestId, status, total, doneCount } = done;
    const { runCount, skipCount, failCount, changedCount, stillFailCount } = done;
    const counts = { run: runCount, skip: skipCount, fail: failCount, changed: changedCount };
    const again = { tool: "backtest_mapping", arguments: { backtestId, show, maxBytes: room } };
    const summary =
      `Backtest ${backtestId} ${status}: ${doneCount} of ${total} deliveries. ` +
      `${runCount} would run, ${skipCount} would be skipped, ${failCount} would fail (${stillFailCount} ` +
      `fail now, too), ` +
      `${changedCount} differ from the saved action.`;
    const data = { backtestId, status, total, done: doneCount, counts };
    if (status === "running") return { lines: [summary, "Ask again."], data, next: again };
    const { groups } = await showBacktest(context, { id: backtestId, show });
    const { part, count } = fitItems(groups, room, ({ count: of, example }) => {
      const { deliveryId, outcome, currentOutcome, isChanged, reason, details } = example;
      const requests = details.requests.slice(0, 3).map(({ method, url, change, changes }) => ({
        ...{ method, url: url.slice(0, 300), change },
        changes: changes.slice(0, 10).map(({ path, before, after }) => ({
          path,
          before: before?.slice(0, 120) ?? null,
          after: after?.slice(0, 120) ?? null,
        })),
      }));
      const was = currentOutcome === null ? "" : `, now ${currentOutcome}`;
      const row = {
        count: of,
        deliveryId,
        outcome,
        currentOutcome,
        changed: isChanged,
        reason,
        requests,
      };
      const told = reason === null ? "" : ` ${reason.code}: ${quote(reason.message, 300)}`;
      return {
        line: `${of} like ${deliveryId}: ${outcome}${was}${told} ${JSON.stringify(requests)}`,
        data: row,
      };
    });
    const isCut = count < groups.length;
    const larger = { ...again.arguments, maxBytes: Math.min(room * 2, 49_152) };
    return {
      lines: [
        summary,
        `${count} of ${groups.length} groups of results that differ in the same way:`,
      ],
      data,
      outside: { lines: part.lines, data: { groups: part.data } },
      next: isCut && room < 49_152 ? { ...again, arguments: larger } : undefined,
    };
  },
});

type Input = {
  readonly actionId?: string | undefined;
  readonly hookId?: string | undefined;
  readonly backtestId?: string | undefined;
  readonly draft?: Readonly<Record<string, unknown>> | undefined;
  readonly last: number;
};

async function startOrFind(
  { context }: ToolCall,
  { actionId, hookId, backtestId, draft, last }: Input,
): Promise<BacktestRecord> {
  const given = [actionId, hookId, backtestId].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw invalidField("actionId", "is required, or hookId, or backtestId: one of them");
  if (backtestId !== undefined) return await getBacktest(context, { id: backtestId });
  // Both are checked here for credentials, and parsed again by the service.
  if (actionId !== undefined) {
    readChange(draft);
    return await backtestAction(context, { id: actionId, draft: draft as object, last });
  }
  readNewAction(draft);
  const made = { id: hookId ?? "", draft, last } as Parameters<typeof backtestNewAction>[1];
  return await backtestNewAction(context, made);
}

async function waitForEnd(
  { context, signal }: ToolCall,
  started: BacktestRecord,
): Promise<BacktestRecord> {
  const endsAt = performance.now() + maxWaitMs;
  let found = started;
  while (found.status === "running" && performance.now() < endsAt) {
    await delay(pauseMs, undefined, { signal });
    found = await getBacktest(context, { id: found.id });
  }
  return found;
}
