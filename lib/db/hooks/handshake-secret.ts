import { checkRuleSecret, isComplete } from "#lib/core/hook/hook-rules.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { AppError } from "#lib/errors.ts";
import { addHookSecret, openSecret } from "./hook-secrets.ts";
import { getHook } from "./hooks.ts";
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

/**
 * The secret that the provider sent, for an owner who has to enter it there (Notion). It can be
 * read for a day. Pasted secrets can never be read. Throws `not_found` if there is none.
 */
export async function readHandshakeSecret(
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
    throw new AppError(
      "not_found",
      "This hook received no secret from its provider within the last day.",
    );
  const secret = openSecret(accountId, row, sealer);
  if (secret === null)
    throw new AppError(
      "conflict",
      "This server's key can't open the secret. It was sealed with another key.",
    );
  return secret;
}

const shownMs = 86_400_000;
