import { parseInput } from "#lib/core/api/parse-input.ts";
import {
  findKnown,
  isObject,
  type Json,
  listDifferences,
  mapCalls,
  type Named,
  nameItems,
} from "#lib/core/configuration/item-names.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { type ActionInput, actionInputSchema } from "#lib/schema/act/action.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { type KnownCalls, readKnown } from "#lib/services/actions/known-calls.ts";
import { toContent } from "#lib/services/actions/versions.ts";
import { createAction, updateAction } from "#lib/services/actions/write-actions.ts";
import { type ImportRun, reportKept } from "./import-run.ts";

type GivenAction = { readonly name: string; readonly was?: string | undefined } & Json;

type HookActions = {
  readonly hook: {
    readonly ref: string;
    readonly actions?: readonly GivenAction[] | undefined;
  };
  readonly hookId: string;
  readonly stored: readonly Named<ActionRecord>[];
  readonly path: string;
};

/** Imports the actions of a hook. Returns their ids by name, or null if one of them is invalid. */
export async function importActions(
  run: ImportRun,
  { hook, hookId, stored, path }: HookActions,
): Promise<ReadonlyMap<string, string> | null> {
  const ids = new Map<string, string>();
  const given = nameItems(hook.actions ?? [], ({ name }) => name);
  let isWhole = true;
  for (const [index, action] of given.entries()) {
    const known = findKnown(stored, action);
    const isDone = await run.item(`${path}.actions.${index}`, async () => {
      ids.set(action.ref, await importAction(run, { hook, hookId, action, known }));
    });
    isWhole &&= isDone;
  }
  if (hook.actions !== undefined) reportKept(run, `hook "${hook.ref}", action`, stored, given);
  return isWhole ? ids : null;
}

type Importing = Pick<HookActions, "hook" | "hookId"> & {
  readonly action: Named<Json>;
  readonly known: ActionRecord | undefined;
};

async function importAction(
  run: ImportRun,
  { hook, hookId, action, known }: Importing,
): Promise<string> {
  const { context, secrets } = run;
  const { ref, was: _was, number: _number, credentials: kinds, ...fields } = action;
  const stored = readKnown(context.sealer, known ?? noOwner, known ?? null);
  const auths = secrets?.actions[hook.ref]?.[ref] ?? {};
  const missing: string[] = [];
  const named = mapCalls(fields, onlyCallKey, (request, key, at) => {
    const { destination, credential, ...rest } = request;
    const place = destination ?? null;
    return {
      ...rest,
      ...(place === null
        ? {}
        : { destinationId: run.idOf("destination", place, `${at}.destination`) }),
      ...chooseAuth(run, { request: rest, credential, at, given: auths[key] }, () => {
        const isExpected = isObject(kinds) && Object.hasOwn(kinds, key);
        if (!isExpected) return { auth: null };
        if (stored.get(key)?.auth) return {};
        missing.push(key);
        return { auth: null };
      }),
    };
  });
  const input = { ...named, ...(missing.length === 0 ? {} : { enabled: false }) };
  const what = `hook "${hook.ref}", action "${ref}"`;
  const id =
    known === undefined
      ? (await createAction(context, { ...(input as NewAction), id: hookId })).id
      : await adaptAction(run, { what, known, input, stored });
  if (known === undefined) run.added(what);
  if (missing.length > 0)
    run.toDo(`${what} is disabled: enter the credentials of ${missing.join(", ")} and enable it.`);
  return id;
}

type NewAction = Parameters<typeof createAction>[1];
const noOwner = { id: "", accountId: "" };

type GivenAuth = {
  readonly request: Json;
  /** The name of a saved credential. */
  readonly credential: unknown;
  readonly at: string;
  /** From the encrypted secrets. */
  readonly given: Json | undefined;
};

/** The credentials of a call: those that a person wrote into the file, saved ones, or its own. */
function chooseAuth(
  run: ImportRun,
  { request, credential, at, given }: GivenAuth,
  otherwise: () => Json,
): Json {
  if (Object.hasOwn(request, "auth")) return {};
  if (credential !== undefined && credential !== null) {
    const credentialId = run.idOf("credential", credential, `${at}.credential`);
    return { auth: { type: "credential", credentialId } };
  }
  return given === undefined ? otherwise() : { auth: given };
}

type Adapting = {
  readonly what: string;
  readonly known: ActionRecord;
  readonly input: Json;
  readonly stored: KnownCalls;
};

async function adaptAction(
  run: ImportRun,
  { what, known, input, stored }: Adapting,
): Promise<string> {
  const { name, enabled, id } = known;
  const { request, steps, ...content } = toContent(known) as Json;
  const work = request === null ? { steps } : { request };
  const wanted = parseInput(actionInputSchema, input);
  const before = parseInput(actionInputSchema, { name, enabled, ...content, ...work });
  const names = listDifferences(withoutAuths(before), withoutAuths(wanted));
  if (hasOtherAuth(wanted, stored)) names.push("credentials");
  const { request: _request, steps: _steps, position: _position, ...settings } = wanted;
  if (names.length > 0) {
    const patch = { ...settings, ...pickWork(input), id };
    await updateAction(run.context, patch as Parameters<typeof updateAction>[1]);
  }
  run.changed(what, names);
  return id;
}

function pickWork({ request, steps }: Json): Json {
  return request === undefined ? { steps } : { request };
}

function withoutAuths(action: ActionInput): Json {
  const { position: _, ...fields } = action;
  return mapCalls(fields, onlyCallKey, ({ auth: __, ...request }) => request);
}

/** True if a call has credentials in the file that aren't stored, or none there but some stored. */
function hasOtherAuth(action: ActionInput, stored: KnownCalls): boolean {
  let isOther = false;
  mapCalls(action, onlyCallKey, (request, key) => {
    const known = stored.get(key)?.auth ?? null;
    if (Object.hasOwn(request, "auth") && request.auth !== undefined)
      isOther ||= JSON.stringify(request.auth) !== JSON.stringify(known);
    return request;
  });
  return isOther;
}
