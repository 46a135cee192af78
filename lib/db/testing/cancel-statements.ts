import type { Database } from "#lib/db/postgres/client.ts";

type Canceled = {
  /** The name of a trigger and its function. */
  readonly name: string;
  /** The rows whose statements are canceled, as `before insert on queue for each row when (…)`. */
  readonly rows: string;
  /** True: only statements that may take 10 s or less, as on a slow disk. */
  readonly onlyShort: boolean;
};

/** Has PostgreSQL cancel statements as it does when their time is up. */
export async function cancelStatements(
  db: Database,
  { name, rows, onlyShort }: Canceled,
): Promise<void> {
  const isShort =
    "(select setting::int from pg_settings where name = 'statement_timeout') between 1 and 10000";
  await db.$executeRawUnsafe(`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${onlyShort ? isShort : "true"} then
        raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
      end if;
      return new;
    end $$`);
  await db.$executeRawUnsafe(`create trigger ${name} ${rows} execute function ${name}()`);
}
