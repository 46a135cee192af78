import type { Database } from "#lib/db/postgres/client.ts";

/**
 * Returns true if this is the key that sealed the database's secrets. The first caller sets it.
 * With another key no secret could be opened, and every signed delivery would be rejected, one by
 * one.
 *
 * @param keyId the id of the sealing key, which reveals nothing about the key
 */
export async function isSealedWith(db: Database, keyId: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ key_id: string }[]>`
    with mine as (insert into seal_check (key_id) values (${keyId}) on conflict (id) do nothing returning key_id)
    select key_id from mine union all select key_id from seal_check`;
  return rows.every((row) => row.key_id === keyId);
}
