import { findProvider } from "#lib/core/catalog/catalog.ts";
import { readScheme, readSettings } from "#lib/core/hook/hook-rules.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import { openSecret } from "#lib/db/hooks/hook-secrets.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { idFloor } from "#lib/db/postgres/page.ts";
import { hookVerificationSchema } from "#lib/schema/verification/verification.ts";

/**
 * What a diagnosis needs besides the delivery. Secrets are in plain text and are only used for
 * comparisons.
 */
export type DiagnosisFacts = {
  readonly secrets: readonly OpenSecret[];
  readonly otherHooks: readonly HookWithSecrets[];
  readonly wereOthersVerified: boolean;
};

export type OpenSecret = {
  readonly id: string;
  readonly text: string;
  readonly expiresAt: Date | null;
};
export type HookWithSecrets = {
  readonly name: string;
  readonly provider: string;
  readonly scheme: unknown;
  readonly settings: Settings;
  readonly secrets: readonly string[];
};

type Around = { readonly hookId: string; readonly receivedAt: Date };

const hourMs = 3_600_000;

/**
 * The hook's own secrets, newest first, including expired ones that still exist; the secrets of the
 * `maxHooks` most recently changed hooks of the account; and whether another delivery of the hook
 * was verified within an hour of this one.
 */
export async function readDiagnosisFacts(
  db: Database,
  accountId: string,
  { hookId, receivedAt }: Around,
  {
    sealer,
    maxHooks,
    maxSecrets,
  }: { readonly sealer: Sealer; readonly maxHooks: number; readonly maxSecrets: number },
): Promise<DiagnosisFacts> {
  const secretsOf = {
    orderBy: { id: "desc" },
    take: maxSecrets,
    select: { id: true, ciphertext: true, expiresAt: true },
  } as const;
  const [own, others, verified] = await Promise.all([
    db.hookSecret.findMany({
      where: { hookId, accountId, hook: { deletedAt: null } },
      ...secretsOf,
    }),
    db.hook.findMany({
      where: { accountId, deletedAt: null, id: { not: hookId }, provider: { not: "generic" } },
      orderBy: { updatedAt: "desc" },
      take: maxHooks,
      select: { name: true, provider: true, verification: true, secrets: secretsOf },
    }),
    db.$queryRaw<unknown[]>`
      select 1 from deliveries
      where hook_id = ${hookId}::uuid and status = 'accepted' and verification_outcome = 'verified'
        and id >= ${idFloor(receivedAt.getTime() - hourMs)}::uuid and id < ${idFloor(receivedAt.getTime() + hourMs)}::uuid
      limit 1`,
  ]);
  // A secret that can't be opened doesn't count on the catch path either.
  const open = (secret: (typeof own)[number]): readonly OpenSecret[] => {
    const text = openSecret(accountId, secret, sealer);
    return text === null ? [] : [{ id: secret.id, text, expiresAt: secret.expiresAt }];
  };
  return {
    secrets: own.flatMap(open),
    otherHooks: others.map(({ name, provider, verification, secrets }) => ({
      name,
      provider,
      ...readVerification(provider, verification),
      secrets: secrets.flatMap(open).map(({ text }) => text),
    })),
    wereOthersVerified: verified.length > 0,
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
