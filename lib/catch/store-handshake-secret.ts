import { newId } from "#lib/base/ids.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { checkRuleSecret, isComplete } from "#lib/core/verify/hook/hook-rules.ts";
import { sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { addHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { isBeingRegistered } from "#lib/db/registrations/work-registrations.ts";

/**
 * Stores the secret that a provider sent in a handshake. A hook accepts a secret only while it
 * awaits its first one: otherwise anyone who knows the URL could replace the key. The first one
 * wins. While its webhook is being registered, the secret comes from the provider's API, and none
 * from here is stored.
 *
 * @returns true if the provider may have its handshake
 */
export async function storeHandshakeSecret(
  db: Database,
  { id: hookId, accountId }: { readonly id: string; readonly accountId: string },
  secret: string,
  sealer: Sealer,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    if (await isBeingRegistered(tx, hookId)) return true;
    const { pending, secrets } = hook;
    if (secrets.length > 0) return false;
    if (
      pending === null ||
      pending.until.getTime() < Date.now() ||
      !checkRuleSecret(hook, secret).ok
    )
      return false;
    const sealed = sealHookSecret(sealer, { id: newId(), accountId }, secret);
    await addHookSecret(tx, { ...sealed, hookId, origin: "handshake" });
    await changeHook(tx, hookId, isComplete(hook, true) ? { pendingSince: null } : {});
    return true;
  });
}
