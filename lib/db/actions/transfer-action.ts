import type { Database } from "#lib/db/postgres/client.ts";
import { requireId } from "#lib/db/postgres/not-found.ts";
import { type ActionInput, contentFields } from "#lib/schema/action/action.ts";
import type { RequestAuth } from "#lib/schema/action/request-auth.ts";
import { onlyCallKey } from "#lib/schema/action/step-limits.ts";
import { listCalls, mapSteps } from "#lib/schema/action/steps.ts";
import type { ActionImport, DuplicateInput } from "#lib/schema/action/transfer.ts";
import type { ActionRecord } from "./action-record.ts";
import { type ActionRules, type ActionWork, readKnown } from "./action-work.ts";
import { createAction, getAction } from "./actions.ts";
import { findUses } from "./request-uses.ts";

const maxNameChars = 200;

/**
 * Copies an action with its credentials to its own or another hook of the account, disabled. Throws
 * `not_found`, and `conflict` if the hook has too many actions.
 */
export async function duplicateAction(
  db: Database,
  accountId: string,
  actionId: string,
  { hookId, name }: DuplicateInput,
  rules: ActionRules,
): Promise<ActionRecord> {
  const action = await getAction(db, accountId, actionId);
  const known = readKnown(rules.sealer, action, action);
  const { request, steps } = withAuths(action, (key) => known.get(key)?.auth ?? undefined);
  const content = Object.fromEntries(contentFields.map((field) => [field, action[field]]));
  const input = {
    ...content,
    name: name ?? `${action.name.slice(0, maxNameChars - copied.length)}${copied}`,
    enabled: false,
    request: request ?? undefined,
    steps: steps ?? undefined,
  } as ActionInput;
  const target = hookId === undefined ? action.hookId : requireId("hook", hookId);
  return await createAction(db, accountId, target, input, rules);
}

const copied = " (copy)";

export type ImportedAction = {
  readonly action: ActionRecord;
  readonly missingCredentials: readonly string[];
  readonly missingDestinations: readonly string[];
};

/**
 * Creates an exported action, disabled. Calls whose saved credential or destination isn't of the
 * account are imported without, and named. Throws what `createAction` does.
 */
export async function importAction(
  db: Database,
  accountId: string,
  hookId: string,
  { format: _known, credentials, ...document }: ActionImport,
  rules: ActionRules,
): Promise<ImportedAction> {
  const found = await findUses(db, accountId, document);
  const [credentialKeys, destinationKeys]: [Set<string>, Set<string>] = [new Set(), new Set()];
  const adapt = <Request extends Call>(key: string, request: Request): Request => {
    const { destinationId, credentialId, ...rest } = request;
    const hasDestination = found.has(destinationId ?? "");
    const hasCredential = found.has(credentialId ?? "");
    if (destinationId !== undefined && !hasDestination) destinationKeys.add(key);
    const isMissing = credentialId !== undefined ? !hasCredential : Object.hasOwn(credentials, key);
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
  const action = await createAction(db, accountId, hookId, input, rules);
  const keys =
    request === null ? listCalls(steps ?? []).map(({ step }) => step.key) : [onlyCallKey];
  return {
    action,
    missingCredentials: keys.filter((key) => credentialKeys.has(key)),
    missingDestinations: keys.filter((key) => destinationKeys.has(key)),
  };
}

type Call = {
  readonly auth?: RequestAuth | null | undefined;
  readonly destinationId?: string;
  readonly credentialId?: string;
};

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
