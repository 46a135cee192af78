"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { parseInput } from "#lib/core/input/parse-input.ts";
import { duplicateAction, importAction } from "#lib/db/actions/transfer-action.ts";
import { AppError } from "#lib/errors.ts";
import {
  actionImportSchema,
  type DuplicateInput,
  duplicateSchema,
  type Imported,
  maxImportBytes,
} from "#lib/schema/action/transfer.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { requireTransforms } from "#lib/services/actions/require-transforms.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";

const id = z.string().max(64);
const importJson = exactJson(actionImportSchema);

/** The id of the copy. */
export async function duplicateActionCommand(
  actionId: string,
  input: DuplicateInput,
): Promise<CommandResult<string>> {
  return await runFormCommand(duplicateSchema, input, async (wanted, session, context) => {
    const { accountId, email } = session;
    const rules = actionRules(context, email);
    const of = parseInput(id, actionId);
    const copy = await duplicateAction(context.db, accountId, of, wanted, rules);
    revalidatePath(`/hooks/${copy.hookId}`);
    return copy.id;
  });
}

export async function importActionCommand(
  hookId: string,
  document: string,
): Promise<CommandResult<Imported>> {
  return await runFormCommand(importJson, document, async (input, session, context) => {
    if (document.length > maxImportBytes)
      throw new AppError("body_too_large", "The document must have at most 1 MiB.");
    const { accountId, email } = session;
    await requireTransforms(accountId, input.steps ?? undefined);
    const rules = actionRules(context, email);
    const target = parseInput(id, hookId);
    const { action, ...missing } = await importAction(context.db, accountId, target, input, rules);
    revalidatePath(`/hooks/${target}`);
    return { id: action.id, ...missing };
  });
}
