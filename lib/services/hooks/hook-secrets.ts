import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  checkRuleSecret,
  isComplete,
  isVerifying,
  requireUsableSecret,
  type VerificationRule,
} from "#lib/core/verify/hook/hook-rules.ts";
import { openSecret, openSecrets, sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { HookRecord, SavedHook } from "#lib/db/hooks/hook-record.ts";
import {
  addHookSecret,
  countHookSecrets,
  deleteHookSecret,
  deleteHookSecrets,
  expireHookSecrets,
  extendSecret,
  findHandshakeSecret,
  readSealedSecrets,
} from "#lib/db/hooks/hook-secrets.ts";
import { changeHook, getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { secretRotationSchema } from "#lib/schema/receive/hook.ts";
import { audit, auditWithoutChange } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

const shownMs = 86_400_000;

/**
 * The secret that the provider sent in a handshake, for an owner who has to enter it there (Notion).
 * It can be read for a day. Pasted secrets can never be read. Throws `not_found` if there is none.
 */
export const readHandshakeSecret = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<{ readonly secret: string }> => {
    const { db, sealer, now, actor } = context;
    const hook = await getHook(db, actor.accountId, id);
    const since = new Date(now().getTime() - shownMs);
    const sealed = await findHandshakeSecret(db, hook.id, since);
    if (sealed === null)
      throw new AppError(
        "not_found",
        "This hook received no secret from its provider within the last day.",
      );
    const secret = openSecret(actor.accountId, sealed, sealer);
    if (secret === null)
      throw new AppError(
        "conflict",
        "This server's key can't open the secret. It was sealed with another key.",
      );
    const targets = [{ type: "hook", id, name: hook.name }];
    await auditWithoutChange(context, { event: "hook.secret.read", targets });
    return { secret };
  },
});

/**
 * The maximum per hook. More would slow every rejection: each signature is compared with each
 * secret.
 */
const maxSecrets = 10;

/**
 * Adds a secret, which also ends the wait of a pending hook. Earlier secrets stay active for
 * `expirePreviousAfterSeconds` (0: they end at once) or until they expire anyway, by the database's
 * clock.
 */
export const rotateHookSecret = service({
  permission: "hooks:write",
  input: secretRotationSchema.extend({ id: recordId }),
  run: async (context, { id, secret, expirePreviousAfterSeconds }): Promise<SavedHook> => {
    const { accountId } = context.actor;
    return await context.db.$transaction(async (tx) => {
      const before = await lockHook(tx, accountId, id);
      const warnings = requireUsableSecret(before, secret, "secret");
      await expireHookSecrets(tx, before.id, expirePreviousAfterSeconds);
      if ((await countHookSecrets(tx, before.id)) >= maxSecrets) {
        const detail =
          `A hook has at most ${maxSecrets} secrets at a time. Wait for one ` +
          "to expire, or set expirePreviousAfterSeconds to 0.";
        throw new AppError("conflict", detail);
      }
      const sealed = sealHookSecret(context.sealer, { id: newId(), accountId }, secret);
      await addHookSecret(tx, { ...sealed, hookId: id });
      const columns = isComplete(before, true) ? { pendingSince: null } : {};
      const hook = await changeHook(tx, before.id, columns);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.secret.rotated", targets, before, after: hook }, tx);
      return { hook, warnings };
    });
  },
});

/** Ends one secret of a hook at once. Throws `not_found` if it is gone. */
export const expireHookSecret = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, secretId: z.uuid() }),
  run: async (context, { id, secretId }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      if (!(await deleteHookSecret(tx, hook.id, secretId)))
        throw new AppError("not_found", "This secret is no longer active.");
      // Processes that have cached the hook need to be notified.
      await changeHook(tx, hook.id, {});
      await audit(context, { event: "hook.secret.ended", targets: toTargets(hook, secretId) }, tx);
    });
  },
});

const dayInSeconds = 86_400;

/** Keeps an expiring or expired secret active from now. Throws `not_found` if it is gone. */
export const extendHookSecret = service({
  permission: "hooks:write",
  input: z.strictObject({
    id: recordId,
    secretId: z.uuid(),
    seconds: z
      .int()
      .min(1)
      .max(30 * dayInSeconds),
  }),
  run: async (context, { id, ...change }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      if (!(await extendSecret(tx, hook.id, change)))
        throw new AppError("not_found", "This secret is no longer stored.");
      const targets = toTargets(hook, change.secretId);
      await audit(context, { event: "hook.secret.extended", targets }, tx);
    });
  },
});

function toTargets({ id, name }: HookRecord, secretId: string) {
  return [
    { type: "hook", id, name },
    { type: "hook_secret", id: secretId },
  ];
}

type SecretChange = {
  readonly before: HookRecord;
  /** The verification rule after the change. */
  readonly rule: VerificationRule;
  /** The new secret, which replaces all existing ones. Null deletes them; undefined keeps them. */
  readonly secret: string | null | undefined;
  readonly sealer: Sealer;
};

/**
 * Updates a hook's secrets when the hook changes, by the same rules as at its creation: a secret,
 * new or kept, has to match the scheme. A hook stops verifying only if the change explicitly
 * deletes its secrets. Throws `invalid_request`. Returns warnings.
 */
export async function changeSecrets(
  tx: Transaction,
  { before, rule, secret, sealer }: SecretChange,
): Promise<readonly string[]> {
  const { id: hookId, accountId } = before;
  if (secret === undefined) return requireReusableSecrets(tx, before, rule, sealer);
  const warnings = secret === null ? [] : requireUsableSecret(rule, secret, "signingSecret");
  await deleteHookSecrets(tx, hookId);
  if (secret === null) return warnings;
  await addHookSecret(tx, {
    ...sealHookSecret(sealer, { id: newId(), accountId }, secret),
    hookId,
  });
  return warnings;
}

async function requireReusableSecrets(
  tx: Transaction,
  before: HookRecord,
  rule: VerificationRule,
  sealer: Sealer,
): Promise<readonly string[]> {
  if (!isVerifying(rule)) {
    if (!isVerifying(before)) return [];
    throw invalidField(
      "signingSecret",
      'must be null here: a hook with provider "generic" accepts requests from anyone, and ' +
        "this hook's secrets will be permanently deleted. Send null to confirm",
      "required",
    );
  }
  if (before.secrets.length === 0 || isSameRule(before, rule)) return [];
  const ids = before.secrets.map(({ id }) => id);
  const secrets = await readSealedSecrets(tx, ids);
  const opened = openSecrets(before.accountId, secrets, sealer);
  if (opened.length < secrets.length)
    throw invalidField(
      "signingSecret",
      "must be sent again, because the stored one can't be read",
      "required",
    );
  const [newest = []] = opened.map((kept) => requireMatchingSecret(rule, kept));
  return newest;
}

function isSameRule(before: HookRecord, { provider, verification }: VerificationRule): boolean {
  return (
    provider === before.provider &&
    JSON.stringify(verification) === JSON.stringify(before.verification)
  );
}

function requireMatchingSecret(rule: VerificationRule, kept: string): readonly string[] {
  const checked = checkRuleSecret(rule, kept);
  if (checked.ok) return checked.warnings;
  const message = `must be sent with this change, or be null: the stored one can't be used with it. ${checked.message}`;
  throw invalidField("signingSecret", message, "required");
}
