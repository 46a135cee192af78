import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { HostClient } from "#lib/db/postgres/hosts/host-client.ts";
import { type ArchivedTable, type Column, copyRows } from "./week-rows.ts";

/** JSON means the same on every server with these. A table may take hours. */
const settings = `set statement_timeout = 0; set idle_session_timeout = 0; set timezone = 'UTC';
  set datestyle = 'ISO'; set extra_float_digits = 3; set bytea_output = 'hex'; set client_encoding = 'UTF8'`;

/** A connection that nothing else uses. */
export type ArchiveSession = Client;

const connectTimeoutMs = 10_000;

/**
 * Calls `use` with a session of its own, which one process at a time has.
 *
 * @returns null if another process has it
 */
export async function withArchiveSession<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result | null> {
  const client: Client = new HostClient({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "catchment archive",
  });
  // The server may end the session at any time. The next query reports it.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(settings);
    const { rows } = await client.query<{ isOurs: boolean }>(
      `select pg_try_advisory_lock(hashtext('archive_weeks')) as "isOurs"`,
    );
    return rows[0]?.isOurs === true ? await use(client) : null;
  } finally {
    // While rows are copied, this closes the connection, which ends the statement.
    await client.end().catch(() => {});
  }
}

type DatabaseFacts = {
  readonly serverVersion: string;
  readonly migrations: readonly string[];
};

export async function readFacts(client: Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<DatabaseFacts>(`
    select current_setting('server_version') as "serverVersion",
      array(select migration_name::text from _prisma_migrations
        where finished_at is not null and rolled_back_at is null order by migration_name) as migrations`);
  const [facts] = rows;
  if (facts === undefined) throw new Error("A query without FROM returns a row");
  return facts;
}

/**
 * The checksum of a week's manifest, once its archive was whole. Null: this database doesn't know one, as
 * of rows outside of any week.
 */
export async function readManifestSha256(
  client: Pick<Client, "query">,
  week: string,
): Promise<string | null> {
  const { rows } = await client.query<{ sha256: string | null }>(
    `select manifest_sha256 as sha256 from archived_weeks where week::text = $1`,
    [week],
  );
  return rows[0]?.sha256 ?? null;
}

export async function readColumns(
  client: Client,
  table: ArchivedTable,
): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relname = $1
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    [table],
  );
  return rows;
}

/** Copies the rows that a statement selects as lines of JSON. They don't end where chunks do. */
export function readLines(
  client: Client,
  select: string,
  columns: readonly Column[],
): AsyncIterable<Buffer> {
  return client.query(copyTo(copyRows(select, columns)));
}
