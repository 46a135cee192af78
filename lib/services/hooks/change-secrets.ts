import { invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  checkRuleSecret,
  isVerifying,
  requireUsableSecret,
  type VerificationRule,
} from "#lib/core/verify/hook/hook-rules.ts";
import { openSecrets, sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { addHookSecret, deleteHookSecrets, readSealedSecrets } from "#lib/db/hooks/hook-secrets.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";

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
