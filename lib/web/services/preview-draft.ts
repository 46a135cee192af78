import { requireReusableAuth } from "#lib/core/build-request/action-rules.ts";
import { checkRequestTemplates } from "#lib/core/build-request/check-request-templates.ts";
import { findCredentials } from "#lib/core/build-request/find-credentials.ts";
import type { FilterVerdict } from "#lib/core/filter/evaluate-filter.ts";
import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import { redactText } from "#lib/core/redact/redact-text.ts";
import { openActionAuth } from "#lib/db/actions/action-auth.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { newId } from "#lib/ids.ts";
import type { ActionInput } from "#lib/schema/action/action.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import {
  type PreparedCall,
  prepareCall,
  readStoredDelivery,
  type ShownRequest,
  showRequest,
} from "./build-preview.ts";

export type DraftInput = {
  readonly hookId: string;
  /** The action whose stored credentials apply if the draft has none; null for a new action. */
  readonly actionId: string | null;
  readonly deliveryId: string;
  readonly request: NonNullable<ActionInput["request"]>;
  readonly filter: ActionInput["filter"];
};

/**
 * What the editor shows of a draft: the request, errors by field, and whether the filter matches.
 */
export type DraftPreview = {
  readonly code: string | null;
  readonly errors: readonly FieldError[];
  readonly request: ShownRequest | null;
  /** What each template field renders to, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  /** Null if the templates are invalid. */
  readonly verdict: FilterVerdict | null;
};

/**
 * What an unsaved action would send for a stored delivery. Invalid templates are reported with line
 * and column, as on saving.
 */
export async function previewDraft(
  context: ServerContext,
  accountId: string,
  draft: DraftInput,
): Promise<DraftPreview> {
  const prepared = await prepareDraft(context, accountId, draft, newId());
  if (!prepared.ok)
    return {
      code: "template_invalid",
      errors: prepared.errors,
      request: null,
      resolved: {},
      verdict: null,
    };
  const { verdict, secrets, call } = prepared;
  const resolved = prepared.resolved.map(({ path, text }) => [
    `request.${path}`,
    redactText(text, secrets),
  ]);
  return {
    code: call.ok ? null : call.code,
    errors: call.ok ? [] : call.errors,
    request: call.request === undefined ? null : showStart(call.request, secrets),
    resolved: Object.fromEntries(resolved),
    verdict,
  };
}

/**
 * The editor shows the start of a body. A forwarded body can have megabytes, and the preview
 * reloads while typing.
 */
export function showStart(request: OutgoingRequest, secrets: readonly string[]): ShownRequest {
  const shown = showRequest(request, secrets);
  return { ...shown, body: shown.body?.slice(0, maxShownChars) ?? null };
}

/** One more than the page shows, so that it can say that there are more. */
const maxShownChars = 20_001;

type PreparedDraft =
  | ({ readonly ok: true } & PreparedCall)
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The call of a draft with its credentials; false if a template is invalid. Throws `not_found`. */
export async function prepareDraft(
  context: ServerContext,
  accountId: string,
  { hookId, actionId, deliveryId, request: given, filter }: DraftInput,
  runId: string,
): Promise<PreparedDraft> {
  const { db, sealer } = context;
  const { auth: givenAuth, ...request } = given;
  const checked = checkRequestTemplates(request);
  const problems = checked.ok ? findCredentials(request) : checked.errors;
  if (problems.length > 0)
    return {
      ok: false,
      errors: problems.map((error) => ({ ...error, path: `request.${error.path}` })),
    };
  const [hook, saved, delivery] = await Promise.all([
    getHook(db, accountId, hookId),
    actionId === null ? null : getAction(db, accountId, actionId),
    readStoredDelivery(context, accountId, deliveryId),
  ]);
  const before = saved?.request ?? null;
  const storedAuth = saved === null || before === null ? null : openActionAuth(sealer, saved);
  const auth = givenAuth === undefined ? storedAuth : givenAuth;
  // The same rule as on saving: stored credentials are never sent to another host than the one they
  // were entered for.
  if (givenAuth === undefined && before !== null && storedAuth !== null)
    requireReusableAuth(before, request, storedAuth);
  const action = { request, filter };
  return { ok: true, ...(await prepareCall(context, { action, hook, delivery, auth }, runId)) };
}
