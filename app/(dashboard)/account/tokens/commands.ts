"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { TokenInput } from "#components/account/token-form.tsx";
import { createApiToken, revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { AppError } from "#lib/errors.ts";
import { createApiTokenSchema } from "#lib/schema/account/api-token.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

const dayMs = 86_400_000;

export async function createTokenCommand(
  input: TokenInput,
): Promise<CommandResult<{ token: string }>> {
  return await runFormCommand(createApiTokenSchema, input, async (data, { accountId }, { db }) => {
    const { name, scopes, expiresInDays } = data;
    const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * dayMs);
    const { token } = await createApiToken(db, accountId, { name, scopes, expiresAt });
    revalidatePath("/account/tokens");
    return { token };
  });
}

export async function revokeTokenCommand(tokenId: string): Promise<CommandResult<null>> {
  return await runFormCommand(z.uuid(), tokenId, async (id, { accountId }, { db }) => {
    const isRevoked = await revokeApiToken(db, accountId, id);
    if (!isRevoked) throw new AppError("not_found", "This token no longer works. Reload the page.");
    revalidatePath("/account/tokens");
    return null;
  });
}
