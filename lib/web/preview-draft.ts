import { checkRequestTemplates } from "#lib/core/build-request/check-request-templates.ts";
import { openActionAuth } from "#lib/db/action-record.ts";
import { getAction } from "#lib/db/actions.ts";
import { getHook } from "#lib/db/hooks.ts";
import type { ActionInput } from "#lib/schema/action.ts";
import { type ActionPreview, buildPreview, readStoredDelivery } from "./build-preview.ts";
import type { ServerContext } from "./server-context.ts";

export type DraftInput = {
  readonly hookId: string;
  /** Whose stored credentials and filter count where the draft says nothing of them; null for a new action. */
  readonly actionId: string | null;
  readonly deliveryId: string;
  readonly request: ActionInput["request"];
};

/**
 * What an action that is not saved yet would send for a delivery that arrived. A template that does not parse is said
 * with line and column, as saving it would say.
 */
export async function previewDraft(
  context: ServerContext,
  accountId: string,
  { hookId, actionId, deliveryId, request: given }: DraftInput,
): Promise<ActionPreview> {
  const { db, sealer } = context;
  const { auth: givenAuth, ...request } = given;
  const checked = checkRequestTemplates(request);
  if (!checked.ok) {
    const errors = checked.errors.map((error) => ({ ...error, path: `request.${error.path}` }));
    return { ok: false, code: "template_invalid", errors };
  }
  const [hook, saved, delivery] = await Promise.all([
    getHook(db, accountId, hookId),
    actionId === null ? null : getAction(db, accountId, actionId),
    readStoredDelivery(context, accountId, deliveryId),
  ]);
  const keptAuth = saved === null ? null : openActionAuth(sealer, saved);
  const auth = givenAuth === undefined ? keptAuth : givenAuth;
  return await buildPreview(context, {
    action: { request, filter: saved?.filter ?? null },
    hook,
    delivery,
    auth,
  });
}
