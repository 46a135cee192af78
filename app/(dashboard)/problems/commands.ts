"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { acknowledgeProblem, resolveProblem } from "#lib/services/problems.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function acknowledgeProblemCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(acknowledgeProblem, { id }, nothing);
}

export async function resolveProblemCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(resolveProblem, { id }, nothing);
}
