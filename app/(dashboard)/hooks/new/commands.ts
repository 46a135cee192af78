"use server";

import type { NewHook } from "#components/hooks/hook-form.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { changeByService } from "#lib/web/auth/run-service.ts";

/** The secret field has already shown any hints. */
export async function createHookCommand(
  input: NewHook,
): Promise<CommandResult<{ readonly id: string }>> {
  return await changeByService(createHook, input, ({ hook }) => ({ id: hook.id }));
}
