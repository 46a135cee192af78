"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionDraft } from "#components/action-draft.ts";
import type { MappingPayload } from "#components/mapping-source.tsx";
import type { RequestPreviewView } from "#components/request-preview.tsx";
import { createAction, updateAction } from "#lib/db/actions.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { runFormCommand } from "#lib/web/form-command.ts";
import { previewDraft } from "#lib/web/preview-draft.ts";
import { readMappingPayload } from "#lib/web/read-action-editor.ts";
import { draftSchema, parseDraft } from "./draft-schema.ts";

const id = z.string().max(64);
const saveSchema = z.strictObject({ hookId: id, actionId: id.nullable(), draft: draftSchema });
const previewSchema = saveSchema.extend({ deliveryId: id });

/** Of which action: the hook is where a new one goes. */
type Place = { readonly hookId: string; readonly actionId: string | null };

export async function saveActionCommand(place: Place, draft: ActionDraft): Promise<CommandResult<null>> {
  const input = { ...Object(place), draft };
  return await runFormCommand(saveSchema, input, async (data, { accountId }, { db, sealer, env }) => {
    const rules = { sealer, allowList: env.egressAllow };
    const { name, timeoutMs, request } = parseDraft(data.draft);
    // What the editor does not show (filter, retry, position) stays as it is.
    if (data.actionId !== null)
      await updateAction(db, accountId, data.actionId, { name, timeoutMs, request }, rules);
    else await createAction(db, accountId, data.hookId, parseDraft(data.draft), rules);
    revalidatePath(`/hooks/${data.hookId}`);
    return null;
  });
}

export async function previewDraftCommand(
  place: Place,
  deliveryId: string,
  draft: ActionDraft,
): Promise<CommandResult<RequestPreviewView>> {
  const input = { ...Object(place), deliveryId, draft };
  return await runFormCommand(previewSchema, input, async (data, { accountId }, context) => {
    const { request } = parseDraft(data.draft);
    const { hookId, actionId, deliveryId: of } = data;
    return await previewDraft(context, accountId, { hookId, actionId, deliveryId: of, request });
  });
}

export async function readPayloadCommand(deliveryId: string): Promise<CommandResult<MappingPayload>> {
  return await runFormCommand(id, deliveryId, async (of, { accountId }) => readMappingPayload(accountId, of));
}
