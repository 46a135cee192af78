import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Settings } from "#lib/core/verify/code-scheme.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { hookVerificationSchema } from "#lib/schema/verification.ts";
import type { Database } from "./client.ts";
import { readScheme, readSettings } from "./hook-rules.ts";
import { idFloor } from "./page.ts";

/** What the doctor needs beside the delivery itself. Secrets are in clear: they go nowhere but into comparisons. */
export type DiagnosisFacts = {
  readonly secrets: readonly OpenSecret[];
  readonly otherHooks: readonly HookWithSecrets[];
  readonly wereOthersVerified: boolean;
};

export type OpenSecret = { readonly id: string; readonly text: string; readonly expiresAt: Date | null };
export type HookWithSecrets = {
  readonly name: string;
  readonly scheme: unknown;
  readonly settings: Settings;
  readonly secrets: readonly string[];
};

type Around = { readonly hookId: string; readonly receivedAt: Date };

const hourMs = 3_600_000;

/**
 * The hook's own secrets, newest first, with those that have expired and are still there; the secrets of the `mostHooks` hooks
 * of the account that were changed last; and whether another delivery of the hook was verified within an hour of it.
 */
export async function readDiagnosisFacts(
  db: Database,
  accountId: string,
  { hookId, receivedAt }: Around,
  {
    sealer,
    mostHooks,
    mostSecrets,
  }: { readonly sealer: Sealer; readonly mostHooks: number; readonly mostSecrets: number },
): Promise<DiagnosisFacts> {
  const secretsOf = {
    orderBy: { id: "desc" },
    take: mostSecrets,
    select: { id: true, ciphertext: true, expiresAt: true },
  } as const;
  const [own, others, verified] = await Promise.all([
    db.hookSecret.findMany({ where: { hookId, accountId, hook: { deletedAt: null } }, ...secretsOf }),
    db.hook.findMany({
      where: { accountId, deletedAt: null, id: { not: hookId }, provider: { not: "generic" } },
      orderBy: { updatedAt: "desc" },
      take: mostHooks,
      select: { name: true, provider: true, verification: true, secrets: secretsOf },
    }),
    db.$queryRaw<unknown[]>`
      select 1 from deliveries
      where hook_id = ${hookId}::uuid and status = 'accepted' and verification_outcome = 'verified'
        and id >= ${idFloor(receivedAt.getTime() - hourMs)}::uuid and id < ${idFloor(receivedAt.getTime() + hourMs)}::uuid
      limit 1`,
  ]);
  const open = ({ id, ciphertext, expiresAt }: (typeof own)[number]): readonly OpenSecret[] => {
    const opened = sealer.open(ciphertext, {
      accountId,
      table: "hook_secrets",
      rowId: id,
      field: "ciphertext",
    });
    // One that does not open (another key, a moved row) does not count on the catch path either.
    return opened.ok ? [{ id, text: Buffer.from(opened.plaintext).toString("utf8"), expiresAt }] : [];
  };
  return {
    secrets: own.flatMap(open),
    otherHooks: others.map(({ name, provider, verification, secrets }) => ({
      name,
      ...readVerification(provider, verification),
      secrets: secrets.flatMap(open).map(({ text }) => text),
    })),
    wereOthersVerified: verified.length > 0,
  };
}

/** What another version of this program wrote, and this one can't read, is not compared with. */
function readVerification(provider: string, stored: unknown): Pick<HookWithSecrets, "scheme" | "settings"> {
  const parsed = hookVerificationSchema.nullable().safeParse(stored);
  const verification = parsed.success ? parsed.data : null;
  const scheme = provider === "custom" ? readScheme(verification) : (findProvider(provider)?.scheme ?? null);
  return { scheme, settings: readSettings(verification) };
}
