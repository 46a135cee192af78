"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { restoreVersion } from "#lib/services/actions/restore-version.ts";
import { changeByService } from "#lib/web/auth/run-service.ts";

/** Restores a version. Returns the keys of calls whose credentials must be entered again. */
export async function restoreVersionCommand(
  actionId: string,
  number: number,
): Promise<CommandResult<readonly string[]>> {
  const input = { id: actionId, number: String(number) };
  return await changeByService(restoreVersion, input, ({ missingCredentials }) => [
    ...missingCredentials,
  ]);
}
