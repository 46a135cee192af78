"use server";

import type { BacktestChoice } from "#components/backtest/backtest-form.tsx";
import type { BacktestPage } from "#components/backtest/backtest-panel.tsx";
import type { BacktestShow } from "#lib/schema/act/backtest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import {
  backtestAction,
  backtestDraft,
  cancelBacktest,
  showBacktest,
} from "#lib/services/backtests.ts";
import {
  askByJson,
  askService,
  changeByService,
  nothing,
  stayOnPage,
} from "#lib/web/auth/run-service.ts";
import { toBacktestPage } from "#lib/web/backtests/read-backtest.ts";

/** The action that the draft changes. A null id stands for a new action of the hook. */
type Place = { readonly hookId: string; readonly actionId: string | null };

type Started = CommandResult<{ readonly id: string }>;

export async function startBacktestCommand(
  place: Place,
  choice: BacktestChoice,
  json: string,
  formerKeys: Readonly<Record<string, string>>,
): Promise<Started> {
  const { hookId, actionId } = place;
  const fields = { hookId, actionId, formerKeys, ...readSet(choice) };
  return await stayOnPage(async () => pickId(await askByJson(backtestDraft, { json, fields })));
}

/** Compares a saved version with another one. */
export async function startVersionBacktestCommand(
  place: { readonly actionId: string; readonly version: number },
  choice: BacktestChoice,
): Promise<Started> {
  const { actionId, version } = place;
  return pickId(await askService(backtestAction, { id: actionId, version, ...readSet(choice) }));
}

/** A backtest with the results to show, for a page that stays open beside it. */
export async function readBacktestCommand(
  id: string,
  query: { readonly show: BacktestShow; readonly cursor: string | undefined },
): Promise<CommandResult<BacktestPage>> {
  return await stayOnPage(async () => {
    const found = await askService(showBacktest, { id, ...query });
    return found.ok ? { ok: true, value: toBacktestPage(found.value) } : found;
  });
}

export async function cancelBacktestCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(cancelBacktest, { id }, nothing);
}

function pickId(started: Started): Started {
  return started.ok ? { ok: true, value: { id: started.value.id } } : started;
}

function readSet({ last, from, to, against }: BacktestChoice) {
  const times = Object.entries({ from: asUtc(from), to: asUtc(to) });
  const set = { last, ...Object.fromEntries(times.filter(([, time]) => time !== "")) };
  return against === null ? set : { ...set, against };
}
