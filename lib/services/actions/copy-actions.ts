import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { type ActionInput, contentFields } from "#lib/schema/act/action.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { listCalls, mapSteps } from "#lib/schema/act/steps.ts";
import { actionImportSchema, duplicateSchema } from "#lib/schema/act/transfer.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import { findUsable, requireTransforms } from "./action-rules.ts";
import { readKnown } from "./known-calls.ts";
import { addAction } from "./write-actions.ts";

const maxNameChars = 200;
const copied = " (copy)";

/**
 * Copies an action with its credentials to its own or another hook of the account, disabled. Throws
 * `not_found`, and `conflict` if the hook has too many actions.
 */
export const duplicateAction = service({
  permission: "hooks:write",
  input: duplicateSchema.extend({ id: recordId }),
  run: async (context, { id, hookId, name }): Promise<ActionRecord> => {
    const { db, sealer, actor } = context;
    const action = await getAction(db, actor.accountId, id);
    const known = readKnown(sealer, action, action);
    const { request, steps } = withAuths(action, (key) => known.get(key)?.auth ?? undefined);
    const content = Object.fromEntries(contentFields.map((field) => [field, action[field]]));
    const input = {
      ...content,
      name: name ?? `${action.name.slice(0, maxNameChars - copied.length)}${copied}`,
      enabled: false,
      request: request ?? undefined,
      steps: steps ?? undefined,
    } as ActionInput;
    return await addAction(context, hookId ?? action.hookId, input);
  },
});

function withAuths(
  { request, steps }: ActionWork,
  find: (key: string) => RequestAuth | undefined,
): Pick<ActionWork, "request" | "steps"> {
  const withAuth = <Request extends object>(key: string, call: Request): Request => {
    const auth = find(key);
    return auth === undefined ? call : { ...call, auth };
  };
  return {
    request: request === null ? null : withAuth(onlyCallKey, request),
    steps:
      steps === null
        ? null
        : mapSteps(steps, (step) =>
            step.kind === "call" ? { ...step, request: withAuth(step.key, step.request) } : step,
          ),
  };
}

type ImportedAction = {
  readonly action: ActionRecord;
  readonly missingCredentials: readonly string[];
  readonly missingDestinations: readonly string[];
};

/**
 * Creates an exported action, disabled. A call loses its saved credential or destination if the
 * account doesn't have it; the result names these calls. Throws what `createAction` does.
 */
export const importAction = service({
  permission: "hooks:write",
  input: actionImportSchema.safeExtend({ id: recordId }),
  run: async (
    context,
    { id, format: _known, credentials, ...document },
  ): Promise<ImportedAction> => {
    const { accountId } = context.actor;
    await requireTransforms(accountId, document.steps ?? undefined);
    const found = await findUsable(context.db, accountId, document);
    const [credentialKeys, destinationKeys]: [Set<string>, Set<string>] = [new Set(), new Set()];
    const adapt = <Request extends Call>(key: string, request: Request): Request => {
      const { destinationId, credentialId, ...rest } = request;
      const hasDestination = found.has(destinationId ?? "");
      const hasCredential = found.has(credentialId ?? "");
      if (destinationId !== undefined && !hasDestination) destinationKeys.add(key);
      const isMissing =
        credentialId !== undefined ? !hasCredential : Object.hasOwn(credentials, key);
      if (isMissing && !request.auth) credentialKeys.add(key);
      return {
        ...rest,
        ...(hasDestination ? { destinationId } : {}),
        ...(hasCredential ? { credentialId } : {}),
      } as Request;
    };
    const { request, steps, ...rest } = document;
    const input = {
      ...rest,
      enabled: false,
      request: request === null ? undefined : adapt(onlyCallKey, request),
      steps:
        steps === null
          ? undefined
          : mapSteps(steps, (step) =>
              step.kind === "call" ? { ...step, request: adapt(step.key, step.request) } : step,
            ),
    } as ActionInput;
    const action = await addAction(context, id, input);
    const keys =
      request === null ? listCalls(steps ?? []).map(({ step }) => step.key) : [onlyCallKey];
    return {
      action,
      missingCredentials: keys.filter((key) => credentialKeys.has(key)),
      missingDestinations: keys.filter((key) => destinationKeys.has(key)),
    };
  },
});

type Call = {
  readonly auth?: RequestAuth | null | undefined;
  readonly destinationId?: string;
  readonly credentialId?: string;
};
