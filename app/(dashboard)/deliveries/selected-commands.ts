"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ChangedRows } from "#lib/schema/field/selected.ts";
import {
  acceptSelected,
  replaySelected,
  retrySelected,
} from "#lib/services/deliveries/change-deliveries.ts";
import { changeByService } from "#lib/web/auth/run-service.ts";

type Changed = Promise<CommandResult<ChangedRows>>;

const all = (changed: ChangedRows) => changed;

export async function acceptSelectedCommand(ids: readonly string[]): Changed {
  return await changeByService(acceptSelected, { ids }, all);
}

export async function replaySelectedCommand(ids: readonly string[]): Changed {
  return await changeByService(replaySelected, { ids }, all);
}

export async function retrySelectedCommand(ids: readonly string[]): Changed {
  return await changeByService(retrySelected, { ids }, all);
}
