import { AppError } from "#lib/base/errors.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { requireReusableAuth } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import { checkRequestTemplates } from "#lib/core/mapping/build-request/checks/check-request-templates.ts";
import { findCredentials } from "#lib/core/mapping/build-request/checks/find-credentials.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { openSaved } from "#lib/core/sending/credential/open-saved.ts";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { readSavedRows } from "#lib/db/credentials/read-saved.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { ActionInput } from "#lib/schema/act/action.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import {
  type PreparedCall,
  prepareCall,
  readStoredDelivery,
  type ShownRequest,
  showRequest,
} from "./build-preview.ts";
import { mergeRequest, readKnown } from "./known-calls.ts";

/** The place of a step in the editor. */
export type StepPlace = {
  readonly hookId: string;
  /** The action whose stored credentials apply if the draft has none. Null: it isn't saved yet. */
  readonly actionId: string | null;
  readonly deliveryId: string;
};

/** The records that a place names. */
export type DraftContext = {
  readonly hook: HookRecord;
  readonly saved: ActionRecord | null;
  readonly delivery: DeliveryView;
};

/** Reads the hook, the saved action, and the delivery of a draft. Throws `not_found`. */
export async function readDraftContext(
  context: ServiceParts,
  accountId: string,
  { hookId, actionId, deliveryId }: StepPlace,
): Promise<DraftContext> {
  const [hook, saved, delivery] = await Promise.all([
    getHook(context.db, accountId, hookId),
    actionId === null ? null : getAction(context.db, accountId, actionId),
    readStoredDelivery(context, accountId, deliveryId),
  ]);
  return { hook, saved, delivery };
}

/**
 * The editor shows the start of a body. A forwarded body can have megabytes, and the preview
 * reloads while typing.
 */
export function showStart(request: OutgoingRequest, secrets: readonly string[]): ShownRequest {
  const shown = showRequest(request, secrets);
  return { ...shown, body: shown.body?.slice(0, maxShownChars) ?? null };
}

/** One more than the page shows, so that the page can say that there are more. */
const maxShownChars = 20_001;

type CallDraft = {
  readonly request: NonNullable<ActionInput["request"]>;
  /** The condition of the step. */
  readonly filter: ActionInput["filter"];
  /** The key of the step when the action was saved. Null: it isn't saved yet. */
  readonly formerKey: string | null;
  readonly names: StepNames;
};

export type PreparedDraftCall = PreparedCall & { readonly credential: SavedCredential | null };

type PreparedDraft =
  | ({ readonly ok: true } & PreparedDraftCall)
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The call of a draft with its credentials; false if a template is invalid. */
export async function prepareDraft(
  context: ServiceParts,
  { hook, saved: action, delivery }: DraftContext,
  { request: given, filter, formerKey, names }: CallDraft,
  runId: string,
): Promise<PreparedDraft> {
  const { auth: givenAuth, ...request } = given;
  const checked = checkRequestTemplates(request);
  const problems = checked.ok ? findCredentials(request) : checked.errors;
  if (problems.length > 0)
    return {
      ok: false,
      errors: problems.map((error) => ({ ...error, path: `request.${error.path}` })),
    };
  const before =
    action === null ? undefined : readKnown(context.sealer, action, action).get(formerKey ?? "");
  // Saving has the same rule: stored credentials are only sent to the host they were entered for.
  if (givenAuth === undefined && before?.auth != null)
    requireReusableAuth(before.request, request, before.auth);
  const auth = givenAuth === undefined ? (before?.auth ?? null) : givenAuth;
  const kept = mergeRequest(formerKey ?? "", given, new Map(before && [[formerKey ?? "", before]]));
  const saved = await trySaved(context, hook.accountId, kept, auth !== null);
  if (!saved.ok) return saved;
  const { credential } = saved;
  const input = {
    action: { request, filter },
    hook,
    delivery,
    auth,
    credential,
    names,
  };
  return { ok: true, credential, ...(await prepareCall(context, input, runId)) };
}

type TriedSaved =
  | { readonly ok: true; readonly credential: SavedCredential | null }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Reports a problem with the saved credential or destination as an error of its field. */
async function trySaved(
  { db, sealer }: ServiceParts,
  accountId: string,
  request: ActionRequestTemplate,
  hasAuth: boolean,
): Promise<TriedSaved> {
  try {
    const rows = await readSavedRows(db, accountId, request);
    return { ok: true, credential: openSaved(sealer, accountId, rows, request, hasAuth) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const path = request.credentialId === undefined ? "request.destinationId" : "request.auth";
    return { ok: false, errors: [{ path, code: "conflict", message: error.message }] };
  }
}
