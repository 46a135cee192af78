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

/** A process of Catchment that is connected to the database. */
type KeyUser = {
  /** Such as `catchment web`. */
  readonly name: string;
  /** Null: a local socket. */
  readonly address: string | null;
  /** The id of the key that it seals with. */
  readonly keyId: string;
};

/** Lists the processes by the sessions that each keeps open, whose names end with the key's id. */
export async function listKeyUsers(db: SqlStatements): Promise<KeyUser[]> {
  return await db.$queryRaw<KeyUser[]>`
    select distinct regexp_replace(application_name, '( lock|-listen)? [0-9a-f]{12}$', '') as name,
      host(client_addr) as address, right(application_name, 12) as "keyId"
    from pg_stat_activity
    where datname = current_database() and application_name ~ '^catchment.* [0-9a-f]{12}$'
    order by name`;
}
