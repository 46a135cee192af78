import { z } from "zod";
import { backtestDetailsSchema, backtestOutcomes } from "#lib/schema/act/backtest.ts";
import type { BacktestRecord, ListedResult } from "#lib/services/backtests.ts";
import { view } from "#lib/web/route/view.ts";

const backtestSchema = z
  .object({
    id: z.string(),
    hookId: z.string(),
    actionId: z.string().nullable().describe("Null: of a new action"),
    status: z.enum(["running", "finished", "cancelled"]),
    total: z.int().describe("Deliveries"),
    doneCount: z.int(),
    version: z.int().nullable().describe("The saved version that was tried. Null: a draft"),
    against: z
      .int()
      .nullable()
      .describe("The version that it is compared with. Null: of a new action"),
    counts: z.object({
      run: z.int(),
      skip: z.int(),
      fail: z.int(),
      changed: z.int(),
      stillFail: z.int().describe("How many of `fail` also fail with the other version"),
    }),
    createdAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({ id: "Backtest" });

/** A backtest in the API's responses. */
export const backtestView = view(backtestSchema, (backtest: BacktestRecord) => {
  const { id, hookId, actionId, status, total, doneCount, createdAt, finishedAt } = backtest;
  const { runCount, skipCount, failCount, changedCount, stillFailCount } = backtest;
  const { version, against } = backtest;
  const outcomes = { run: runCount, skip: skipCount, fail: failCount };
  const counts = { ...outcomes, changed: changedCount, stillFail: stillFailCount };
  const tested = { id, hookId, actionId, status, version, against };
  return { ...tested, total, doneCount, counts, createdAt, finishedAt };
});

const outcome = z.enum(backtestOutcomes);
const resultSchema = z
  .object({
    deliveryId: z.string(),
    receivedAt: z.date().nullable().describe("Null: the delivery was deleted since"),
    eventType: z.string().nullable(),
    eventId: z.string().nullable(),
    outcome,
    currentOutcome: outcome
      .nullable()
      .describe("The outcome of the version it is compared with. Null: there is none"),
    changed: z.boolean(),
    reason: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe("Why it would be skipped, or would fail"),
    ...backtestDetailsSchema.shape,
  })
  .meta({ id: "BacktestResult" });

/** The draft's result for one delivery. */
export const backtestResultView = view(resultSchema, (result: ListedResult) => {
  const { deliveryId, currentOutcome, isChanged, reason, details, delivery } = result;
  const { receivedAt = null, eventType = null, eventId = null } = delivery ?? {};
  return {
    deliveryId,
    receivedAt,
    eventType,
    eventId,
    outcome: result.outcome,
    currentOutcome,
    changed: isChanged,
    reason,
    ...details,
  };
});
