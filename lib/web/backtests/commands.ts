"use server";

import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import {
  backtestAction,
  backtestDraft,
  cancelBacktest,
  listGroupResults,
  showBacktest,
} from "#lib/services/backtests.ts";
import { ask, change, json, stay } from "#lib/web/auth/run-service.ts";
import { toBacktestPage, toResultPage } from "#lib/web/backtests/read-backtest.ts";

/** The action that the draft changes. A null id stands for a new action of the hook. */
type Place = { readonly hookId: string; readonly actionId: string | null };
type Choice = {
  readonly last: number;
  readonly from: string;
  readonly to: string;
  readonly against: number | null;
};

export const startBacktestCommand = stay(
  ask(
    backtestDraft,
    [({ hookId, actionId }: Place) => ({ hookId, actionId }), readChoice, json, "formerKeys"],
    ({ id }) => ({ id }),
  ),
);
/** Compares a saved version with another one. */
export const startVersionBacktestCommand = ask(
  backtestAction,
  [
    ({ actionId, version }: { readonly actionId: string; readonly version: number }) => ({
      id: actionId,
      version,
    }),
    readChoice,
  ],
  ({ id }) => ({ id }),
);
/** A backtest with the ways in which its results differ, for a page that stays open beside it. */
export const readBacktestCommand = stay(ask(showBacktest, ["id", "show"], toBacktestPage));
/** The results that differ in one way. */
export const listGroupResultsCommand = stay(ask(listGroupResults, ["id", "..."], toResultPage));
export const cancelBacktestCommand = change(cancelBacktest, ["id"]);

function readChoice({ last, from, to, against }: Choice) {
  const times = Object.entries({ from: asUtc(from), to: asUtc(to) });
  const set = { last, ...Object.fromEntries(times.filter(([, time]) => time !== "")) };
  return against === null ? set : { ...set, against };
}
