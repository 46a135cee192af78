"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { muteFailures, unmuteFailures } from "#lib/services/failures.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

type Key = Parameters<typeof muteFailures>[1];

export async function muteFailuresCommand(key: Key): Promise<CommandResult<null>> {
  return await changeByService(muteFailures, key, nothing);
}

export async function unmuteFailuresCommand(key: Key): Promise<CommandResult<null>> {
  return await changeByService(unmuteFailures, key, nothing);
}
