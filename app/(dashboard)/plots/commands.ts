"use server";

import type { PlotsView } from "#components/plots/plot-view.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActivityRange } from "#lib/schema/watch/activity.ts";
import { readRunActivity, readSendActivity } from "#lib/services/activity.ts";
import { askService } from "#lib/web/auth/run-service.ts";
import { toPlots } from "#lib/web/plots.ts";

type Plots = Promise<CommandResult<PlotsView>>;

export async function readActionPlotsCommand(actionId: string, range: ActivityRange): Plots {
  const result = await askService(readRunActivity, { of: { actionId }, range });
  return result.ok ? { ok: true, value: toPlots(result.value, range) } : result;
}

export async function readHookPlotsCommand(hookId: string, range: ActivityRange): Plots {
  const result = await askService(readRunActivity, { of: { hookId }, range });
  return result.ok ? { ok: true, value: toPlots(result.value, range) } : result;
}

export async function readSendPlotsCommand(id: string, range: ActivityRange): Plots {
  const result = await askService(readSendActivity, { id, range });
  return result.ok ? { ok: true, value: toPlots(result.value, range) } : result;
}
