"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { applyFix } from "#lib/services/deliveries/apply-fix.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function applyFixCommand(id: string, code: string): Promise<CommandResult<null>> {
  return await changeByService(applyFix, { id, code }, nothing);
}
