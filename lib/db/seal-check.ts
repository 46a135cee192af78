import type { Database } from "./client.ts";

/**
 * Whether this is the key that the database's secrets were sealed with. The first one to ask decides. With another key
 * every secret would stay shut and every signed delivery would be refused, one by one.
 *
 * @param keyId of the sealing key; tells nothing about it
 */
export async function isSealedWith(db: Database, keyId: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ key_id: string }[]>`
    with mine as (insert into seal_check (key_id) values (${keyId}) on conflict (id) do nothing returning key_id)
    select key_id from mine union all select key_id from seal_check`;
  return rows.every((row) => row.key_id === keyId);
}
