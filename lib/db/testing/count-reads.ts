import type { Database } from "#lib/db/postgres/client.ts";

/**
 * The rows and index entries that PostgreSQL reads for `work` in these tables, including sequential
 * scans. The numbers don't depend on the machine's speed.
 *
 * @param db a database with one connection: its counters are flushed by the statement that reads
 *   them
 */
export async function countReads(
  db: Database,
  tables: RegExp,
  work: () => Promise<unknown>,
): Promise<number> {
  const read = async () => {
    await db.$queryRaw`select 1 from pg_stat_force_next_flush()`;
    await db.$queryRaw`select 1 from pg_stat_clear_snapshot()`;
    const [row] = await db.$queryRaw<{ reads: number }[]>`
      select (
        (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where relname ~ ${tables.source})
        + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where relname ~ ${tables.source})
      )::float8 as reads`;
    return row?.reads ?? Number.NaN;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}
