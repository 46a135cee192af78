import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { type ActionInput, contentFields } from "#lib/schema/act/action.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { mapSteps } from "#lib/schema/act/steps.ts";
import { duplicateSchema } from "#lib/schema/act/transfer.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import { addAction } from "./create-action.ts";
import { readKnown } from "./known-calls.ts";

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
