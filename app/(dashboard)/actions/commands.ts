"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { StepPreviewView, StepRunView } from "#components/actions/draft/step-views.ts";
import type { MappingDelivery, MappingPayload } from "#components/actions/mapping-source.tsx";
import { parseInput } from "#lib/core/input/parse-input.ts";
import type { FieldProposal } from "#lib/core/mapping-example/proposal.ts";
import { createAction, updateAction } from "#lib/db/actions/actions.ts";
import { closeActionBreaker } from "#lib/db/actions/close-breaker.ts";
import { actionInputSchema, callActionSchema } from "#lib/schema/action/action.ts";
import { type SavedAction, startedFrom } from "#lib/schema/action/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { exampleSchema, proposeExample } from "#lib/services/actions/propose-example.ts";
import { requireTransforms } from "#lib/services/actions/require-transforms.ts";
import { previewStep } from "#lib/services/actions/steps/preview-step.ts";
import { runStep } from "#lib/services/actions/steps/run-step.ts";
import { stepDraftSchema } from "#lib/services/actions/steps/step-draft-input.ts";
import { type FilterTally, tallyFilter } from "#lib/services/actions/tally-filter.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { listMappingDeliveries, readMappingPayload } from "#lib/web/pages/read-action-editor.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";

const id = z.string().max(64);
const placeSchema = z.strictObject({ hookId: id, actionId: id.nullable() });
const targetSchema = placeSchema.extend({ deliveryId: id });
/** Keys of steps, with those that they had when the action was last saved. */
const keysSchema = z.record(id, id);
/** With the version that the form started from, if the action was saved before. */
const savedJson = exactJson(actionInputSchema.safeExtend({ version: startedFrom.optional() }));
const stepJson = exactJson(stepDraftSchema);
const filterJson = exactJson(z.strictObject({ filter: callActionSchema.shape.filter }));

/** A new action needs its hook's id. */
type Place = z.infer<typeof placeSchema>;

export async function saveActionCommand(
  place: Place,
  formerKeys: Readonly<Record<string, string>>,
  json: string,
): Promise<CommandResult<SavedAction>> {
  return await runFormCommand(savedJson, json, async (patch, { accountId, email }, context) => {
    const { hookId, actionId } = parseInput(placeSchema, place);
    const { version: _startedFrom, ...action } = patch;
    const keys = parseInput(keysSchema, formerKeys);
    const rules = { ...actionRules(context, email), formerKeys: keys };
    await requireTransforms(accountId, action.steps);
    const { id: savedId, version } =
      actionId === null
        ? await createAction(context.db, accountId, hookId, action, rules)
        : await updateAction(context.db, accountId, actionId, patch, rules);
    revalidatePath(`/hooks/${hookId}`);
    return { id: savedId, version };
  });
}

/** What a step would do for a delivery. Sends nothing. */
export async function previewStepCommand(
  place: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<StepPreviewView>> {
  return await runFormCommand(stepJson, json, async (step, { accountId }, context) =>
    previewStep(context, accountId, parseInput(targetSchema, { ...place, deliveryId }), step),
  );
}

/** Calls the receiver for real. */
export async function runStepCommand(
  place: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<StepRunView>> {
  return await runFormCommand(stepJson, json, async (step, { accountId }, context) =>
    runStep(context, accountId, parseInput(targetSchema, { ...place, deliveryId }), step),
  );
}

const exampleJson = exactJson(exampleSchema);

/** How the values of an example request can be got from a delivery. */
export async function proposeExampleCommand(
  place: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<readonly FieldProposal[]>> {
  return await runFormCommand(exampleJson, json, async (example, { accountId }, context) =>
    proposeExample(context, accountId, parseInput(targetSchema, { ...place, deliveryId }), example),
  );
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

export async function readPayloadCommand(
  place: Place,
  deliveryId: string,
): Promise<CommandResult<MappingPayload>> {
  return await runFormCommand(
    targetSchema,
    { ...place, deliveryId },
    async (of, { accountId }, context) => readMappingPayload(context, accountId, of),
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

export async function closeBreakerCommand(actionId: string): Promise<CommandResult<null>> {
  return await runFormCommand(id, actionId, async (of, { accountId }, { db }) => {
    await closeActionBreaker(db, accountId, of);
    revalidatePath(`/actions/${of}`);
    return null;
  });
}
