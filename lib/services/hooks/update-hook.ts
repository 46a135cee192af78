import { invalidField } from "#lib/base/errors.ts";
import { requireTemplates } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import {
  followDefault,
  pendingSinceAfter,
  toleranceAfter,
} from "#lib/core/verify/hook/hook-change.ts";
import { updateHookSchema } from "#lib/core/verify/hook/hook-input.ts";
import { requirePathAllowed } from "#lib/core/verify/hook/hook-path.ts";
import {
  defaultEventType,
  listDedupeDefaults,
  requireReplayProtection,
  requireVerification,
} from "#lib/core/verify/hook/hook-rules.ts";
import { hasAction } from "#lib/db/actions/actions.ts";
import type { HookRecord, SavedHook } from "#lib/db/hooks/hook-record.ts";
import { changeHook, type HookColumns } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { checkSoon } from "#lib/db/silence/watched-hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import type { HookPatch } from "#lib/schema/receive/hook.ts";
import type { HookReply, ReplyParts } from "#lib/schema/receive/hook-reply.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { changePath } from "./change-path.ts";
import { changeSecrets } from "./change-secrets.ts";
import { withWarnings } from "./with-warnings.ts";

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
