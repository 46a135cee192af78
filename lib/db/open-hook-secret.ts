import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Database } from "./client.ts";

/**
 * The secret that a sender would use now: the newest of the hook that has not expired, in clear. Null where it has
 * none, or none that opens. Never to be shown: only to sign with.
 */
export async function openHookSecret(
  db: Database,
  accountId: string,
  hookId: string,
  sealer: Sealer,
): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string; ciphertext: Uint8Array }[]>`
    select id, ciphertext from hook_secrets
    where account_id = ${accountId}::uuid and hook_id = ${hookId}::uuid
      and (expires_at is null or expires_at > now())
    order by id desc`;
  for (const { id, ciphertext } of rows) {
    const opened = sealer.open(ciphertext, {
      accountId,
      table: "hook_secrets",
      rowId: id,
      field: "ciphertext",
    });
    if (opened.ok) return Buffer.from(opened.plaintext).toString("utf8");
  }
  return null;
}
