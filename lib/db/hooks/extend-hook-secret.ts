import type { Database } from "#lib/db/postgres/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { lockHook } from "./lock-hook.ts";

/**
 * Keeps an expiring or expired secret active for `seconds` from now by the database's clock. Throws
 * `not_found` if it no longer exists.
 */
export async function extendHookSecret(
  db: Database,
  accountId: string,
  hookId: string,
  { secretId, seconds }: { readonly secretId: string; readonly seconds: number },
): Promise<void> {
  await db.$transaction(async (tx) => {
    const hook = await lockHook(tx, accountId, hookId);
    const count = await tx.$executeRaw`
      update hook_secrets set expires_at = now() + ${seconds}::int * interval '1 second'
      where id = ${secretId}::uuid and hook_id = ${hook.id}::uuid and expires_at is not null`;
    if (count === 0) throw notFound("hook");
  });
}
