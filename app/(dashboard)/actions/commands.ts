"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionDraft } from "#components/actions/draft/action-draft.ts";
import type { FilterDraft } from "#components/actions/draft/filter-draft.ts";
import type { MappingDelivery, MappingPayload } from "#components/actions/mapping-source.tsx";
import type { RequestPreviewView } from "#components/actions/request-preview.tsx";
import type { TestCallView } from "#components/actions/test-call.tsx";
import { createAction, updateAction } from "#lib/db/actions/actions.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { listMappingDeliveries, readMappingPayload } from "#lib/web/pages/read-action-editor.ts";
import { type FilterTally, judgeFilter } from "#lib/web/services/judge-filter.ts";
import { previewDraft } from "#lib/web/services/preview-draft.ts";
import { sendDraft } from "#lib/web/services/send-draft.ts";
import { draftSchema, filterDraftSchema, parseDraft, parseFilterDraft } from "./draft-schema.ts";

const id = z.string().max(64);
const saveSchema = z.strictObject({ hookId: id, actionId: id.nullable(), draft: draftSchema });
const tryOutSchema = saveSchema.extend({ deliveryId: id });

/** Of which action: the hook is where a new one goes. */
type Place = { readonly hookId: string; readonly actionId: string | null };

/** The id of the saved action. */
export async function saveActionCommand(
  place: Place,
  draft: ActionDraft,
): Promise<CommandResult<string>> {
  const input = { ...Object(place), draft };
  return await runFormCommand(
    saveSchema,
    input,
    async (data, { accountId }, { db, sealer, env }) => {
      const rules = { sealer, allowList: env.egressAllow };
      const action = parseDraft(data.draft);
      const { id: savedId } =
        data.actionId === null
          ? await createAction(db, accountId, data.hookId, action, rules)
          : await updateAction(db, accountId, data.actionId, action, rules);
      revalidatePath(`/hooks/${data.hookId}`);
      return savedId;
    },
  );
}

export async function previewDraftCommand(
  place: Place,
  deliveryId: string,
  draft: ActionDraft,
): Promise<CommandResult<RequestPreviewView>> {
  const input = { ...Object(place), deliveryId, draft };
  return await runFormCommand(tryOutSchema, input, async (data, { accountId }, context) => {
    const { request, filter } = parseDraft(data.draft);
    const { hookId, actionId, deliveryId: of } = data;
    return await previewDraft(context, accountId, {
      hookId,
      actionId,
      deliveryId: of,
      request,
      filter,
    });
  });
}

/** Calls the receiver for real. */
export async function sendDraftCommand(
  place: Place,
  deliveryId: string,
  draft: ActionDraft,
): Promise<CommandResult<TestCallView>> {
  const input = { ...Object(place), deliveryId, draft };
  return await runFormCommand(tryOutSchema, input, async (data, { accountId }, context) => {
    const { request, filter, timeoutMs } = parseDraft(data.draft);
    const { hookId, actionId, deliveryId: of } = data;
    const call = { hookId, actionId, deliveryId: of, request, filter, timeoutMs };
    return await sendDraft(context, accountId, call);
  });
}

const judgeSchema = z.strictObject({ hookId: id, filter: filterDraftSchema });

/** For how many of the latest deliveries the action would run; null where it has no filter. */
export async function judgeFilterCommand(
  { hookId }: Place,
  draft: FilterDraft,
): Promise<CommandResult<FilterTally | null>> {
  const input = { hookId, filter: draft };
  return await runFormCommand(judgeSchema, input, async (data, { accountId }, context) => {
    const filter = parseFilterDraft(data.filter);
    return filter === null ? null : await judgeFilter(context, accountId, data.hookId, filter);
  });
}

const payloadSchema = z.strictObject({ hookId: id, deliveryId: id });

export async function readPayloadCommand(
  { hookId }: Place,
  deliveryId: string,
): Promise<CommandResult<MappingPayload>> {
  return await runFormCommand(payloadSchema, { hookId, deliveryId }, async (of, { accountId }) =>
    readMappingPayload(accountId, of.hookId, of.deliveryId),
  );
}

const listSchema = z.strictObject({ hookId: id, eventType: z.string().max(500).optional() });

/** The latest deliveries of one event type; of all without one. */
export async function listDeliveriesCommand(
  { hookId }: Place,
  eventType: string | undefined,
): Promise<CommandResult<readonly MappingDelivery[]>> {
  return await runFormCommand(listSchema, { hookId, eventType }, async (of, { accountId }) =>
    listMappingDeliveries(accountId, of.hookId, of.eventType),
  );
}
