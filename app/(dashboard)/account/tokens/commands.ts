"use server";

import type { z } from "zod";
import type { TokenInput } from "#components/account/token-form.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { createApiToken, revokeApiToken } from "#lib/services/account/api-tokens.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function createTokenCommand(
  input: TokenInput,
): Promise<CommandResult<{ token: string }>> {
  // The service parses what the form sent, whatever it is.
  const given = input as z.input<typeof createApiToken.input>;
  return await changeByService(createApiToken, given, ({ token }) => ({ token }));
}

export async function revokeTokenCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(revokeApiToken, { id }, nothing);
}
