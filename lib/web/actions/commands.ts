"use server";

import { type DuplicateInput, type Imported, maxImportBytes } from "#lib/schema/act/transfer.ts";
import { describeVersion } from "#lib/schema/act/version-summary.ts";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import { duplicateAction, importAction } from "#lib/services/actions/copy-actions.ts";
import { proposeExample } from "#lib/services/actions/propose-example.ts";
import { compareWithCurrent, listVersions } from "#lib/services/actions/read-actions.ts";
import {
  listMappingDeliveries,
  readMappingPayload,
} from "#lib/services/actions/steps/mapping-source.ts";
import { previewDraftStep, runDraftStep } from "#lib/services/actions/steps/try-steps.ts";
import { tallyFilter } from "#lib/services/actions/tally-filter.ts";
import {
  closeActionBreaker,
  deleteAction,
  orderActions,
  restoreVersion,
  saveDraft,
  updateAction,
} from "#lib/services/actions/write-actions.ts";
import { readRunActivity } from "#lib/services/activity.ts";
import { discardDraft, storeDraft } from "#lib/services/drafts.ts";
import { listChanges } from "#lib/web/actions/versions.ts";
import { ask, change, form, json, stay } from "#lib/web/auth/run-service.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { toPlots } from "#lib/web/plots.ts";

/** An action of a hook. A null id stands for a new action. */
type Place = { readonly hookId: string; readonly actionId: string | null };

const place = ({ hookId, actionId }: Place) => ({ hookId, actionId });
const hookOf = ({ hookId }: Place) => ({ hookId });
const idOf = ({ actionId }: Place) => ({ id: actionId ?? "" });

export const saveActionCommand = stay(
  change(saveDraft, [place, form, json], ({ id, version }) => ({ id, version })),
);
/** Shows what a step would do for a delivery. Sends nothing. */
export const previewStepCommand = stay(ask(previewDraftStep, [place, "deliveryId", json]));
/** Runs a step, which really calls the receiver. */
export const runStepCommand = stay(ask(runDraftStep, [place, "deliveryId", json]));
/** Proposes how to get the values of an example request from a delivery. */
export const proposeExampleCommand = stay(ask(proposeExample, [hookOf, "deliveryId", json]));
/** Counts how many of the latest deliveries would run the action; null if it has no filter. */
export const tallyFilterCommand = stay(ask(tallyFilter, [hookOf, json]));
export const readPayloadCommand = stay(ask(readMappingPayload, [place, "deliveryId"]));
/** The latest deliveries of one event type, or of all types, in which a text is found. */
export const listDeliveriesCommand = stay(ask(listMappingDeliveries, [hookOf, "eventType", "q"]));

export const setActionEnabledCommand = change(updateAction, ["id", "enabled"]);
export const closeBreakerCommand = change(closeActionBreaker, ["id"]);
export const orderActionsCommand = change(orderActions, ["id", "actionIds"]);
export const deleteActionCommand = change(deleteAction, ["id"]);
/** Duplicates an action. Returns the id of the copy. */
export const duplicateActionCommand = change(
  duplicateAction,
  ["id", (input: DuplicateInput) => form(input)],
  ({ id }) => id,
);

const importDocument = change(importAction, ["id", json], ({ action, ...missing }) => ({
  id: action.id,
  ...missing,
}));

export async function importActionCommand(
  hookId: string,
  document: string,
): Promise<CommandResult<Imported>> {
  if (document.length > maxImportBytes) return reject("The document must have at most 1 MiB.");
  return await importDocument(hookId, document);
}

/** The latest versions, to choose one of. */
export const listVersionsCommand = stay(
  ask(listVersions, [(id: string) => ({ id, limit: "50" })], ({ items }) =>
    items.map((version) => ({
      number: version.number,
      words: describeVersion(version),
      isCurrent: version.isCurrent,
    })),
  ),
);
/** Restores a version. Returns the keys of calls whose credentials must be entered again. */
export const restoreVersionCommand = change(
  restoreVersion,
  ["id", (number: number) => ({ number: String(number) })],
  ({ missingCredentials }) => [...missingCredentials],
);
/** The changes of the version in force since an earlier one. */
export const showChangesCommand = stay(ask(compareWithCurrent, [idOf, "from"], listChanges));

type Typed = Omit<Parameters<typeof storeDraft>[1], keyof Place>;

const store = ask(storeDraft, ["..."]);
const discard = ask(discardDraft, ["..."]);

/** Stores what is typed in the editor. Pages aren't read again: only the editor shows it. */
export async function storeDraftCommand(place: Place, input: Typed) {
  return await runDraft(() => store({ ...place, ...input }));
}

export async function discardDraftCommand(place: Place) {
  return await runDraft(() => discard(place));
}

async function runDraft(run: () => ReturnType<typeof store>) {
  if ((await readSession()) === null) return { kind: "signed_out" } as const;
  const result = await run();
  if (result.ok) return { kind: "done", draft: result.value } as const;
  return { kind: "rejected", message: result.errors[0]?.message ?? result.message } as const;
}

export const readActionPlotsCommand = ask(
  readRunActivity,
  [(actionId: string) => ({ of: { actionId } }), "range"],
  (activity, { range }) => toPlots(activity, range),
);
