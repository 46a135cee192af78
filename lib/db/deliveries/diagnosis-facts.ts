import { idFloor } from "#lib/core/api/page.ts";
import type { SealedSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/** The rows that a diagnosis needs besides the delivery. */
type DiagnosisRows = {
  readonly secrets: readonly ExpiringSecret[];
  readonly otherHooks: readonly {
    readonly name: string;
    readonly provider: string;
    /** The hook's verification. Another version may have written it. */
    readonly verification: unknown;
    readonly secrets: readonly ExpiringSecret[];
  }[];
  readonly wereOthersVerified: boolean;
};

export type ExpiringSecret = SealedSecret & { readonly expiresAt: Date | null };

type Around = { readonly hookId: string; readonly receivedAt: Date };

const hourMs = 3_600_000;

/**
 * The hook's own secrets, newest first, including expired ones that still exist; the secrets of the
 * `maxHooks` most recently changed hooks of the account; and whether another delivery of the hook
 * was verified within an hour of this one.
 */
export async function readDiagnosisRows(
  db: Database,
  accountId: string,
  { hookId, receivedAt }: Around,
  { maxHooks, maxSecrets }: { readonly maxHooks: number; readonly maxSecrets: number },
): Promise<DiagnosisRows> {
  const secretsOf = {
    orderBy: { id: "desc" },
    take: maxSecrets,
    select: { id: true, ciphertext: true, expiresAt: true },
  } as const;
  const [secrets, otherHooks, verified] = await Promise.all([
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
  return { secrets, otherHooks, wereOthersVerified: verified.length > 0 };
}
