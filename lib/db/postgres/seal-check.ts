import type { SqlStatements } from "./sql-database.ts";

type SealKeys = {
  /** The id of the key that sealed the database's secrets. */
  readonly keyId: string;
  /** Keys that a rotation has replaced. */
  readonly retiredKeyIds: readonly string[];
};

/**
 * Reads which key sealed the database's secrets. The first caller sets it. With another key no
 * secret could be opened, and every signed delivery would be rejected, one by one.
 *
 * @param keyId the id of the caller's sealing key, which reveals nothing about the key
 */
export async function readSealKeys(db: SqlStatements, keyId: string): Promise<SealKeys> {
  const rows = await db.$queryRaw<SealKeys[]>`
    with mine as (
      insert into seal_check (key_id) values (${keyId}) on conflict (id) do nothing
      returning key_id, retired_key_ids
    )
    select key_id as "keyId", retired_key_ids as "retiredKeyIds" from mine
    union all select key_id, retired_key_ids from seal_check`;
  const [row] = rows;
  return row ?? (await readSealKeys(db, keyId));
}

/** Ends a rotation: no process may start with the old key as its key again. */
export async function retireSealKey(
  db: SqlStatements,
  { oldKeyId, newKeyId }: { readonly oldKeyId: string; readonly newKeyId: string },
): Promise<void> {
  await db.$executeRaw`
    update seal_check set key_id = ${newKeyId}, retired_key_ids = array_append(retired_key_ids, ${oldKeyId})
    where key_id = ${oldKeyId}`;
}
