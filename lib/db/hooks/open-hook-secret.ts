import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/**
 * The secret that a provider would use now: the newest active one, in plain text. Null if there is
 * none that can be opened. Only for signing, never to be shown.
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
