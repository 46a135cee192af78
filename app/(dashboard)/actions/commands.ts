"use server";

import type { StepPreviewView, StepRunView } from "#components/actions/draft/step-views.ts";
import type { SavedFrom } from "#components/actions/editor/use-save-action.ts";
import type { MappingDelivery } from "#components/actions/source/mapping-delivery.ts";
import type { MappingPayload } from "#components/actions/source/mapping-source.tsx";
import type { SavedAction } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type Proposals, proposeExample } from "#lib/services/actions/propose-example.ts";
import {
  listMappingDeliveries,
  readMappingPayload,
} from "#lib/services/actions/steps/mapping-source.ts";
import { previewDraftStep, runDraftStep } from "#lib/services/actions/steps/try-steps.ts";
import { type FilterTally, tallyFilter } from "#lib/services/actions/tally-filter.ts";
import { closeActionBreaker, saveDraft } from "#lib/services/actions/write-actions.ts";
import {
  askByJson,
  askService,
  changeByJson,
  changeByService,
  nothing,
  stayOnPage,
} from "#lib/web/auth/run-service.ts";

/** An action of a hook. A null id stands for a new action. */
type Place = { readonly hookId: string; readonly actionId: string | null };

export async function saveActionCommand(
  { hookId, actionId }: Place,
  from: SavedFrom,
  json: string,
): Promise<CommandResult<SavedAction>> {
  const input = { json, fields: { hookId, actionId, ...from } };
  return await stayOnPage(() =>
    changeByJson(saveDraft, input, ({ id, version }) => ({ id, version })),
  );
}

/** Shows what a step would do for a delivery. Sends nothing. */
export async function previewStepCommand(
  { hookId, actionId }: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<StepPreviewView>> {
  return await stayOnPage(() =>
    askByJson(previewDraftStep, { json, fields: { hookId, actionId, deliveryId } }),
  );
}

/** Runs a step, which really calls the receiver. */
export async function runStepCommand(
  { hookId, actionId }: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<StepRunView>> {
  return await stayOnPage(() =>
    askByJson(runDraftStep, { json, fields: { hookId, actionId, deliveryId } }),
  );
}

/** Proposes how to get the values of an example request from a delivery. */
export async function proposeExampleCommand(
  { hookId }: Place,
  deliveryId: string,
  json: string,
): Promise<CommandResult<Proposals>> {
  return await stayOnPage(() =>
    askByJson(proposeExample, { json, fields: { hookId, deliveryId } }),
  );
}

/** Counts how many of the latest deliveries would run the action; null if it has no filter. */
export async function tallyFilterCommand(
  { hookId }: Place,
  json: string,
): Promise<CommandResult<FilterTally | null>> {
  return await stayOnPage(() => askByJson(tallyFilter, { json, fields: { hookId } }));
}

export async function readPayloadCommand(
  { hookId, actionId }: Place,
  deliveryId: string,
): Promise<CommandResult<MappingPayload>> {
  return await stayOnPage(() => askService(readMappingPayload, { hookId, actionId, deliveryId }));
}

/** The latest deliveries of one event type, or of all types, in which a text is found. */
export async function listDeliveriesCommand(
  { hookId }: Place,
  eventType: string | undefined,
  q?: string,
): Promise<CommandResult<readonly MappingDelivery[]>> {
  return await stayOnPage(() => askService(listMappingDeliveries, { hookId, eventType, q }));
}

export async function closeBreakerCommand(actionId: string): Promise<CommandResult<null>> {
  return await changeByService(closeActionBreaker, { id: actionId }, nothing);
}
