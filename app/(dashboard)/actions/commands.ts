"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { MappingDelivery, MappingPayload } from "#components/actions/mapping-source.tsx";
import type { RequestPreviewView } from "#components/actions/request-preview.tsx";
import type { TestCallView } from "#components/actions/test-call.tsx";
import { parseInput } from "#lib/core/input/parse-input.ts";
import { createAction, updateAction } from "#lib/db/actions/actions.ts";
import { callActionSchema } from "#lib/schema/action/action.ts";
import { type SavedAction, startedFrom } from "#lib/schema/action/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { listMappingDeliveries, readMappingPayload } from "#lib/web/pages/read-action-editor.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";
import { actionRules } from "#lib/web/services/action-rules.ts";
import { previewDraft } from "#lib/web/services/preview-draft.ts";
import { sendDraft } from "#lib/web/services/send-draft.ts";
import { type FilterTally, tallyFilter } from "#lib/web/services/tally-filter.ts";

const id = z.string().max(64);
const placeSchema = z.strictObject({ hookId: id, actionId: id.nullable() });
const targetSchema = placeSchema.extend({ deliveryId: id });
const actionJson = exactJson(callActionSchema);
/** With the version that the form started from, if the action was saved before. */
const savedJson = exactJson(callActionSchema.extend({ version: startedFrom.optional() }));
const filterJson = exactJson(z.strictObject({ filter: callActionSchema.shape.filter }));

/** A new action needs its hook's id. */
type Place = z.infer<typeof placeSchema>;

export async function saveActionCommand(
  place: Place,
  json: string,
): Promise<CommandResult<SavedAction>> {
  return await runFormCommand(savedJson, json, async (patch, { accountId, email }, context) => {
    const { hookId, actionId } = parseInput(placeSchema, place);
    const { version: _startedFrom, ...action } = patch;
    const rules = actionRules(context, email);
    const { id: savedId, version } =
      actionId === null
        ? await createAction(context.db, accountId, hookId, action, rules)
        : await updateAction(context.db, accountId, actionId, patch, rules);
    revalidatePath(`/hooks/${hookId}`);
    return { id: savedId, version };
  });
}

export async function previewDraftCommand(
  place: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<RequestPreviewView>> {
  return await runFormCommand(actionJson, json, async (action, { accountId }, context) => {
    const target = parseInput(targetSchema, { ...place, deliveryId });
    const { request, filter } = action;
    return await previewDraft(context, accountId, { ...target, request, filter });
  });
}

/** Calls the receiver for real. */
export async function sendDraftCommand(
  place: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<TestCallView>> {
  return await runFormCommand(actionJson, json, async (action, { accountId }, context) => {
    const target = parseInput(targetSchema, { ...place, deliveryId });
    const { request, filter, timeoutMs } = action;
    return await sendDraft(context, accountId, { ...target, request, filter, timeoutMs });
  });
}

/** How many of the latest deliveries would run the action; null if it has no filter. */
export async function tallyFilterCommand(
  place: Place,
  json: string,
): Promise<CommandResult<FilterTally | null>> {
  return await runFormCommand(filterJson, json, async ({ filter }, { accountId }, context) => {
    const { hookId } = parseInput(placeSchema, place);
    return filter === null ? null : await tallyFilter(context, accountId, hookId, filter);
  });
}

const payloadSchema = z.strictObject({ hookId: id, deliveryId: id });

export async function readPayloadCommand(
  { hookId }: Place,
  deliveryId: string,
): Promise<CommandResult<MappingPayload>> {
  return await runFormCommand(
    payloadSchema,
    { hookId, deliveryId },
    async (of, { accountId }, context) =>
      readMappingPayload(context, accountId, of.hookId, of.deliveryId),
  );
}

const listSchema = z.strictObject({ hookId: id, eventType: z.string().max(500).optional() });

/** The latest deliveries of one event type, or of all types. */
export async function listDeliveriesCommand(
  { hookId }: Place,
  eventType: string | undefined,
): Promise<CommandResult<readonly MappingDelivery[]>> {
  return await runFormCommand(
    listSchema,
    { hookId, eventType },
    async (of, { accountId }, context) =>
      listMappingDeliveries(context, accountId, of.hookId, of.eventType),
  );
}
