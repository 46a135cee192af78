import type { Sealer } from "#lib/core/seal/sealer.ts";
import { AppError } from "#lib/errors.ts";
import type { Database } from "./client.ts";
import { isComplete, isSecretUsable } from "./hook-rules.ts";
import { addHookSecret, secretPlace } from "./hook-secrets.ts";
import { getHook } from "./hooks.ts";
import { lockHook } from "./lock-hook.ts";

/**
 * Keeps the secret that a sender gave in a handshake. Only a hook that waits for its first secret takes one, and only within the time
 * that it may wait: anybody who knows the URL could otherwise replace the key. The first one wins.
 *
 * @returns whether it was kept
 */
export async function keepArrivedSecret(
  db: Database,
  { id: hookId, accountId }: { readonly id: string; readonly accountId: string },
  secret: string,
  sealer: Sealer,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    const { pending, secrets } = hook;
    if (secrets.length > 0) return false;
    if (pending === null || pending.until.getTime() < Date.now() || !isSecretUsable(hook, secret))
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

/**
 * The secret that the sender gave, for an owner who has to type it in there (Notion). It can be read for a day; one that was pasted
 * never can. Throws `not_found` where there is none.
 */
export async function readArrivedSecret(
  db: Database,
  accountId: string,
  hookId: string,
  sealer: Sealer,
): Promise<string> {
  const hook = await getHook(db, accountId, hookId);
  const since = new Date(Date.now() - shownMs);
  const row = await db.hookSecret.findFirst({
    where: { hookId: hook.id, origin: "handshake", createdAt: { gt: since } },
    orderBy: { id: "desc" },
    select: { id: true, ciphertext: true },
  });
  if (row === null)
    throw new AppError("not_found", "No secret came from the sender of this hook within the last day.");
  const opened = sealer.open(row.ciphertext, secretPlace(accountId, row.id));
  if (!opened.ok) throw new AppError("conflict", "The secret can't be opened with this server's key.");
  return Buffer.from(opened.plaintext).toString("utf8");
}

const shownMs = 86_400_000;
