import { invalidField } from "#lib/base/errors.ts";
import {
  findKnown,
  listDifferences,
  type Named,
  nameItems,
} from "#lib/core/configuration/item-names.ts";
import { openSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { readSealedSecrets } from "#lib/db/hooks/hook-secrets.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { isKeyTaken } from "#lib/db/hooks/previous-keys.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { createHook, updateHook } from "#lib/services/hooks/write-hooks.ts";
import { showHook } from "./export-configuration.ts";
import { importActions } from "./import-actions.ts";
import { type ImportRun, reportKept } from "./import-run.ts";

type GivenHook = Named<NonNullable<Configuration["hooks"]>[number]>;

export async function importHooks(run: ImportRun): Promise<void> {
  const { file, before } = run;
  if (file.hooks === undefined) return;
  const given = nameItems(file.hooks, ({ name }) => name);
  for (const [index, hook] of given.entries()) {
    const known = findKnown(before.hooks, hook);
    await run.item(`hooks.${index}`, async () => {
      const saved =
        known === undefined ? await addHook(run, hook) : await adaptHook(run, hook, known);
      const stored = known === undefined ? [] : (before.actions.get(known.id) ?? []);
      const path = `hooks.${index}`;
      const actions = await importActions(run, { hook, hookId: saved.id, stored, path });
      if (actions !== null) await saveReply(run, hook, saved, actions);
    });
  }
  reportKept(run, "hook", before.hooks, given);
}

async function addHook(run: ImportRun, hook: GivenHook): Promise<HookRecord> {
  const { context, secrets } = run;
  const { ref, status, fields } = splitHook(hook);
  const { key, signingSecret: sealed } = secrets?.hooks[ref] ?? {};
  const signingSecret = hook.signingSecret === null ? undefined : (hook.signingSecret ?? sealed);
  const { hook: made, warnings } = await createHook(context, {
    ...fields,
    ...(signingSecret === undefined ? {} : { signingSecret }),
  });
  if (status !== "active") await updateHook(context, { id: made.id, status });
  const what = `hook "${ref}"`;
  run.added(what);
  if (run.keepsCatchUrls && key !== undefined) await keepKey(run, made, key);
  else run.toDo(`${what} has a new catch URL: give it to its provider.`);
  for (const warning of warnings) run.toDo(`${what}: ${warning}`);
  return made;
}

/** What the hook's service takes, without what others do. */
function splitHook({
  ref,
  status,
  was: _was,
  number: _number,
  reply: _reply,
  actions: _actions,
  signingSecret: _secret,
  ...fields
}: GivenHook) {
  return { ref, status, fields };
}

/** The last segment of the catch URL is unique in an installation. */
async function keepKey({ context }: ImportRun, { id }: HookRecord, key: string): Promise<void> {
  await context.db.$transaction(async (tx) => {
    if (await isKeyTaken(tx, key))
      throw invalidField(
        "name",
        "its catch URL belongs to another hook of this installation: import without --keep-catch-urls",
        "conflict",
      );
    await changeHook(tx, id, { key });
  });
}

async function adaptHook(run: ImportRun, hook: GivenHook, known: HookRecord): Promise<HookRecord> {
  const { context, secrets } = run;
  const { ref, status, fields: settings } = splitHook(hook);
  const fields = { ...settings, status };
  const shown = showHook(known);
  const names = listDifferences(shown, fields);
  const inFile = secrets?.hooks[ref]?.signingSecret;
  const given = hook.signingSecret === null ? undefined : (hook.signingSecret ?? inFile);
  const hasNone = hook.signingSecret === null && known.secrets.length > 0;
  const isNewSecret = given !== undefined && given !== (await readNewest(run, known));
  // Rules that are left out follow a change of provider, so all of them are given then.
  const hasAllRules = names.includes("provider");
  const patch = Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => names.includes(name) || (hasAllRules && name !== "status"),
    ),
  );
  if (names.length > 0 || isNewSecret || hasNone)
    await updateHook(context, {
      ...patch,
      ...(isNewSecret ? { signingSecret: given } : {}),
      ...(hasNone ? { signingSecret: null } : {}),
      id: known.id,
    });
  run.changed(`hook "${ref}"`, isNewSecret || hasNone ? [...names, "signingSecret"] : names);
  return known;
}

async function readNewest({ context }: ImportRun, hook: HookRecord): Promise<string | null> {
  const newest = hook.secrets.find(({ expiresAt }) => expiresAt === null);
  if (newest === undefined) return null;
  const [row] = await readSealedSecrets(context.db, [newest.id]);
  return row === undefined ? null : openSecret(hook.accountId, row, context.sealer);
}

/** Last, since it names an action. */
async function saveReply(
  { context, before }: ImportRun,
  hook: GivenHook,
  { id, reply: current }: HookRecord,
  actions: ReadonlyMap<string, string>,
): Promise<void> {
  if (hook.reply === null) {
    if (current !== null) await updateHook(context, { id, reply: null });
    return;
  }
  const { action, ...reply } = hook.reply;
  const stored: readonly Named<ActionRecord>[] = before.actions.get(id) ?? [];
  const actionId = actions.get(action) ?? stored.find(({ ref }) => ref === action)?.id;
  if (actionId === undefined)
    throw invalidField("reply.action", `there is no action "${action}" of this hook`, "not_found");
  const wanted = { ...reply, actionId };
  if (current !== null && listDifferences(current, wanted).length === 0) return;
  await updateHook(context, { id, reply: wanted });
}
