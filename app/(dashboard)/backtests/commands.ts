"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { BacktestChoice } from "#components/backtest/backtest-dialog.tsx";
import { parseInput } from "#lib/core/input/parse-input.ts";
import { cancelBacktest } from "#lib/db/backtests/backtests.ts";
import { actionInputSchema } from "#lib/schema/action/action.ts";
import { backtestSetSchema } from "#lib/schema/backtest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";
import { backtestAction, backtestNewAction } from "#lib/web/services/start-backtest.ts";

const id = z.string().max(64);
const placeSchema = z.strictObject({ hookId: id, actionId: id.nullable() });
const keysSchema = z.record(id, id);
const draftJson = exactJson(actionInputSchema);

/** Of a new action's hook, or of a change to an action. */
type Place = z.infer<typeof placeSchema>;

export async function startBacktestCommand(
  place: Place,
  choice: BacktestChoice,
  json: string,
  formerKeys: Readonly<Record<string, string>>,
): Promise<CommandResult<{ readonly id: string }>> {
  return await runFormCommand(draftJson, json, async (draft, { accountId }, context) => {
    const { hookId, actionId } = parseInput(placeSchema, place);
    const input = { draft, ...readSet(choice) };
    const keys = parseInput(keysSchema, formerKeys);
    const backtest =
      actionId === null
        ? await backtestNewAction(context, accountId, hookId, input)
        : await backtestAction(context, accountId, actionId, input, keys);
    return { id: backtest.id };
  });
}

export async function cancelBacktestCommand(backtestId: string): Promise<CommandResult<null>> {
  return await runFormCommand(id, backtestId, async (given, { accountId }, { db }) => {
    await cancelBacktest(db, accountId, given);
    revalidatePath(`/backtests/${given}`);
    return null;
  });
}

function readSet({ last, from, to }: BacktestChoice) {
  const times = { from: asUtc(from), to: asUtc(to) };
  const given = Object.fromEntries(Object.entries(times).filter(([, time]) => time !== ""));
  return parseInput(backtestSetSchema, { last, ...given });
}
