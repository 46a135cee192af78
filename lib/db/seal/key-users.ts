import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

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
