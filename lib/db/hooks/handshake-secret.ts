import { checkRuleSecret, isComplete } from "#lib/core/hook/hook-rules.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { addHookSecret } from "./hook-secrets.ts";
import { lockHook } from "./lock-hook.ts";

/**
 * Stores the secret that a provider sent in a handshake. Only a hook that awaits its first secret
 * accepts one, and only while it may wait: otherwise anyone who knows the URL could replace the
 * key. The first one wins.
 *
 * @returns whether it was stored
 */
export async function storeHandshakeSecret(
  db: Database,
  { id: hookId, accountId }: { readonly id: string; readonly accountId: string },
  secret: string,
  sealer: Sealer,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    const { pending, secrets } = hook;
    if (secrets.length > 0) return false;
    if (
      pending === null ||
      pending.until.getTime() < Date.now() ||
      !checkRuleSecret(hook, secret).ok
    )
      return false;
    await addHookSecret(tx, { accountId, hookId, secret, sealer, origin: "handshake" });
    await tx.hook.update({
      where: { id: hookId },
      data: { updatedAt: new Date(), ...(isComplete(hook, true) ? { pendingSince: null } : {}) },
      select: { id: true },
    });
    return true;
  });
}
