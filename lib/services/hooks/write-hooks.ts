import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { requireTemplates } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import {
  followDefault,
  pendingSinceAfter,
  pendingSinceOfNew,
  toleranceAfter,
} from "#lib/core/verify/hook/hook-change.ts";
import { createHookSchema, updateHookSchema } from "#lib/core/verify/hook/hook-input.ts";
import { requirePathAllowed } from "#lib/core/verify/hook/hook-path.ts";
import {
  defaultDedupe,
  defaultEventType,
  listDedupeDefaults,
  requireReplayProtection,
  requireTolerance,
  requireUsableSecret,
  requireVerification,
  warnAboutMissingPart,
} from "#lib/core/verify/hook/hook-rules.ts";
import { sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { hasAction } from "#lib/db/actions/actions.ts";
import { countHookContents } from "#lib/db/hooks/hook-contents.ts";
import type { HookRecord, SavedHook } from "#lib/db/hooks/hook-record.ts";
import { addHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { changeHook, getHook, type HookColumns, insertHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { findRegistration } from "#lib/db/registrations/registrations.ts";
import { checkSoon } from "#lib/db/silence/watched-hooks.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import {
  type HookPatch,
  hookPatchSchema,
  hookStateSchema,
  secretRotationSchema,
} from "#lib/schema/receive/hook.ts";
import type { HookReply, ReplyParts } from "#lib/schema/receive/hook-reply.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { changePath, generateHookKey, requirePath } from "./hook-paths.ts";
import { changeSecrets, rotateHookSecret } from "./hook-secrets.ts";

/**
 * Creates a hook with a new catch URL. If `dedupe` or `eventType` is omitted, the provider's
 * default applies. A provider that signs may be added without its secret, because many show it only
 * once they have the URL. Until then the hook rejects deliveries, or is `pending` if requested or
 * if the provider sends the secret itself. A warning says which.
 */
export const createHook = service({
  permission: "hooks:write",
  input: createHookSchema,
  run: async (context, input): Promise<SavedHook> => {
    const { sealer, now } = context;
    const { accountId } = context.actor;
    const { provider, signingSecret, keyPrefix, path, status: _, ...fields } = input;
    const rule = { provider, verification: input.verification ?? null };
    requireVerification(rule);
    requirePathAllowed(provider, path);
    if (path !== null && keyPrefix !== undefined)
      throw invalidField(
        "keyPrefix",
        "must be left out with path, which is the whole last segment",
        "not_allowed",
      );
    requireReplayProtection(rule, input.replayProtection);
    const warnings =
      signingSecret === undefined ? [] : requireUsableSecret(rule, signingSecret, "signingSecret");
    requireTolerance(rule, input.toleranceSeconds);
    const id = newId();
    const row = {
      ...fields,
      ...rule,
      id,
      accountId,
      key: generateHookKey(keyPrefix),
      dedupe: input.dedupe === undefined ? defaultDedupe(provider) : input.dedupe,
      eventType: input.eventType === undefined ? defaultEventType(provider) : input.eventType,
      replayProtection: input.replayProtection ?? null,
      pendingSince: pendingSinceOfNew(input, rule, now()),
    };
    const hook = await context.db.$transaction(async (tx) => {
      await insertHook(tx, row);
      if (path !== null) await requirePath(tx, { id, accountId, path });
      if (signingSecret !== undefined) {
        const sealed = sealHookSecret(sealer, { id: newId(), accountId }, signingSecret);
        await addHookSecret(tx, { ...sealed, hookId: id });
      }
      const targets = [{ type: "hook", id, name: input.name }];
      await audit(context, { event: "hook.created", targets }, tx);
      return await getHook(tx, accountId, id);
    });
    return withWarnings(hook, warnings);
  },
});

/**
 * Changes a hook. Omitted fields stay. A rule that equals its provider's default follows a change of
 * provider. A `signingSecret` replaces all others at once and ends the wait of a pending hook. Null
 * deletes them, and is required if a hook stops verifying. A new `path` replaces the catch URL, and
 * the current one works for another day.
 */
export const updateHook = service({
  permission: "hooks:write",
  input: updateHookSchema.extend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<SavedHook> => {
    const { db, sealer, now } = context;
    const saved = await db.$transaction(async (tx) => {
      const before = await lockHook(tx, context.actor.accountId, id);
      await requireSameProvider(tx, before, patch.provider);
      await requireReply(tx, before.id, patch.reply);
      const columns = toColumns(before, patch, now());
      const key = await changePath(tx, before, patch.path);
      const secret = patch.signingSecret;
      const warnings = await changeSecrets(tx, { before, rule: columns, secret, sealer });
      if (patch.silence !== undefined) await checkSoon(tx, before.id);
      const after = await changeHook(tx, before.id, { ...columns, ...key });
      const targets = [{ type: "hook", id, name: after.name }];
      await audit(context, { event: "hook.updated", targets, before, after }, tx);
      return withWarnings(after, warnings);
    });
    if (patch.status === "active") notifyRunsDue(db);
    return saved;
  },
});

/** Throws `invalid_request` if the changed hook would not be valid. */
function toColumns(before: HookRecord, patch: HookPatch, now: Date) {
  const { signingSecret: _, path, status, ...fields } = patch;
  const provider = patch.provider ?? before.provider;
  const kept = provider === before.provider ? before.verification : null;
  const rule = {
    provider,
    verification: patch.verification === undefined ? kept : patch.verification,
  };
  requireVerification(rule);
  requirePathAllowed(provider, path === undefined ? before.path : path);
  requireReplayProtection(rule, patch.replayProtection);
  const providers = { from: before.provider, to: provider };
  const columns = {
    ...withoutUndefined(fields),
    ...rule,
    ...(status === undefined ? {} : { status: status === "pending" ? "active" : status }),
    dedupe: followDefault(patch.dedupe, before.dedupe, listDedupeDefaults, providers),
    eventType: followDefault(
      patch.eventType,
      before.eventType,
      (name) => [defaultEventType(name)],
      providers,
    ),
    toleranceSeconds: toleranceAfter(patch.toleranceSeconds, before, rule),
    pendingSince: pendingSinceAfter(patch, before, rule, now),
  } as const;
  return columns satisfies Partial<HookColumns>;
}

/** Its webhook would stay at the provider, and no one would look after it. */
async function requireSameProvider(
  tx: Transaction,
  { id, accountId, provider }: HookRecord,
  changed: string | undefined,
): Promise<void> {
  if (changed === undefined || changed === provider) return;
  if ((await findRegistration(tx, accountId, id)) === null) return;
  throw new AppError(
    "conflict",
    "Catchment keeps this hook registered at its provider. Disconnect it there before you change the provider.",
  );
}

/** Requires an action of the hook itself: no other runs for its deliveries. */
async function requireReply(
  tx: Transaction,
  hookId: string,
  reply: HookPatch["reply"],
): Promise<void> {
  if (reply === undefined || reply === null) return;
  requireReplyTemplates(reply);
  if (!(await hasAction(tx, hookId, reply.actionId)))
    throw invalidField("reply.actionId", "must be the id of an action of this hook", "not_found");
}

/** Throws `template_invalid`, with path, line, and column, if the reply could never be rendered. */
function requireReplyTemplates(reply: HookReply): void {
  const onFailure = reply.onFailure === null ? [] : listIn(reply.onFailure, "reply.onFailure");
  requireTemplates([...listIn(reply, "reply"), ...onFailure]);
}

function listIn({ status, headers, body }: ReplyParts, at: string) {
  return [
    ...Object.entries(headers).map(([name, source]) => ({ path: `${at}.headers.${name}`, source })),
    { path: `${at}.status`, source: String(status) },
    { path: `${at}.body`, source: body },
  ];
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<Fields>;
}

/**
 * Pauses, resumes, or disables a hook. Held runs start as soon as it is active again. A hook that
 * awaits its secret keeps waiting.
 */
export const setHookStatus = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, status: hookStateSchema }),
  run: async (context, { id, status }): Promise<HookRecord> => {
    const { db, actor } = context;
    const hook = await db.$transaction(async (tx) => {
      const before = await lockHook(tx, actor.accountId, id);
      // Pausing a disabled hook would make it accept deliveries again.
      if (status === "paused" && before.status === "disabled")
        throw new AppError(
          "conflict",
          "This hook is disabled and accepts no deliveries. Enable it first.",
        );
      if (before.status === status) return before;
      const after = await changeHook(tx, id, { status });
      const targets = [{ type: "hook", id, name: after.name }];
      await audit(context, { event: `hook.${status}`, targets, before, after }, tx);
      return after;
    });
    if (status === "active") notifyRunsDue(db);
    return hook;
  },
});

/** Changes the status and returns the number of runs that the change holds or starts. */
export const changeHookStatus = service({
  permission: "hooks:write",
  input: setHookStatus.input,
  run: async (context, input) => {
    const hook = await setHookStatus(context, input);
    const { openRuns } = await countHookContents(context.db, context.actor.accountId, hook.id);
    return { hook, openRuns };
  },
});

/** Holds the hook's runs. It still accepts deliveries. */
export const pauseHook = service({
  permission: "hooks:write",
  input: byId,
  run: (context, { id }) => setHookStatus(context, { id, status: "paused" }),
});

/** Starts the held runs at once. Also enables a disabled hook. */
export const resumeHook = service({
  permission: "hooks:write",
  input: byId,
  run: (context, { id }) => setHookStatus(context, { id, status: "active" }),
});

/** Adds what a hook lacks: its secret, and other values if the provider needs them. */
export const addMissingProof = service({
  permission: "hooks:write",
  input: z.strictObject({
    id: recordId,
    secret: secretRotationSchema.shape.secret.optional(),
    verification: hookPatchSchema.shape.verification,
  }),
  run: async (context, { id, secret, verification }): Promise<void> => {
    if (verification !== undefined) await updateHook(context, { id, verification });
    if (secret !== undefined) await rotateHookSecret(context, { id, secret });
  },
});

/** Adds what the hook still lacks, if anything. */
function withWarnings(hook: HookRecord, warnings: readonly string[]): SavedHook {
  const missing = warnAboutMissingPart(hook, {
    hasSecret: hook.secrets.length > 0,
    isPending: hook.pending !== null,
  });
  return { hook, warnings: missing === null ? warnings : [...warnings, missing] };
}
