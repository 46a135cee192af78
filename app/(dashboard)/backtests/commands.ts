"use server";

import type { BacktestChoice } from "#components/backtest/backtest-dialog.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { cancelBacktest } from "#lib/services/backtests/cancel-backtest.ts";
import { backtestDraft } from "#lib/services/backtests/start-backtest.ts";
import { askByJson, changeByService, nothing } from "#lib/web/auth/run-service.ts";

/** The action that the draft changes. A null id stands for a new action of the hook. */
type Place = { readonly hookId: string; readonly actionId: string | null };

export async function startBacktestCommand(
  place: Place,
  choice: BacktestChoice,
  json: string,
  formerKeys: Readonly<Record<string, string>>,
): Promise<CommandResult<{ readonly id: string }>> {
  const { hookId, actionId } = place;
  const fields = { hookId, actionId, formerKeys, ...readSet(choice) };
  const started = await askByJson(backtestDraft, { json, fields });
  return started.ok ? { ok: true, value: { id: started.value.id } } : started;
}

export async function cancelBacktestCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(cancelBacktest, { id }, nothing);
}

function readSet({ last, from, to }: BacktestChoice) {
  const times = Object.entries({ from: asUtc(from), to: asUtc(to) });
  return { last, ...Object.fromEntries(times.filter(([, time]) => time !== "")) };
}
