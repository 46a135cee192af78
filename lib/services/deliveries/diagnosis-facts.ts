import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { limits } from "#lib/core/verify/diagnose/verification-budget.ts";
import { readScheme, readSettings } from "#lib/core/verify/hook/hook-rules.ts";
import { openSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import type { DeliveryRecord } from "#lib/db/deliveries/deliveries.ts";
import { type ExpiringSecret, readDiagnosisRows } from "#lib/db/deliveries/diagnosis-facts.ts";
import { hookVerificationSchema } from "#lib/schema/receive/verification.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/**
 * The facts that a diagnosis needs besides the delivery. Secrets are in plain text and are only
 * used for comparisons.
 */
export type DiagnosisFacts = {
  readonly secrets: readonly OpenSecret[];
  readonly otherHooks: readonly HookWithSecrets[];
  readonly wereOthersVerified: boolean;
};

type OpenSecret = {
  readonly id: string;
  readonly text: string;
  readonly expiresAt: Date | null;
};

type HookWithSecrets = {
  readonly name: string;
  readonly provider: string;
  readonly scheme: unknown;
  readonly settings: Settings;
  readonly secrets: readonly string[];
};

export async function readDiagnosisFacts(
  { db, sealer }: Pick<ServiceParts, "db" | "sealer">,
  accountId: string,
  delivery: DeliveryRecord,
): Promise<DiagnosisFacts> {
  const { secrets, otherHooks, wereOthersVerified } = await readDiagnosisRows(
    db,
    accountId,
    delivery,
    { maxHooks: limits.maxOtherHooks, maxSecrets: limits.maxSecrets },
  );
  // A secret that can't be opened doesn't count on the catch path either.
  const open = (secret: ExpiringSecret): readonly OpenSecret[] => {
    const text = openSecret(accountId, secret, sealer);
    return text === null ? [] : [{ id: secret.id, text, expiresAt: secret.expiresAt }];
  };
  return {
    secrets: secrets.flatMap(open),
    otherHooks: otherHooks.map(({ name, provider, verification, secrets: others }) => ({
      name,
      provider,
      ...readVerification(provider, verification),
      secrets: others.flatMap(open).map(({ text }) => text),
    })),
    wereOthersVerified,
  };
}

/** A scheme stored by another version that this one can't read is skipped. */
function readVerification(
  provider: string,
  stored: unknown,
): Pick<HookWithSecrets, "scheme" | "settings"> {
  const parsed = hookVerificationSchema.nullable().safeParse(stored);
  const verification = parsed.success ? parsed.data : null;
  const scheme =
    provider === "custom" ? readScheme(verification) : (findProvider(provider)?.scheme ?? null);
  return { scheme, settings: readSettings(verification) };
}
