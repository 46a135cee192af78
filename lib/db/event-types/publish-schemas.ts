import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The schema of an event type's data. */
export type PublishSchema = {
  readonly type: string;
  /** JSON text of a JSON Schema. */
  readonly schema: string;
  /** True if an event that doesn't match is rejected. Otherwise it is stored with a warning. */
  readonly isRequired: boolean;
};

/** Finds the event types that have a schema, for each account in order. */
export async function findPublishSchemas(
  db: SqlStatements,
  accountIds: readonly string[],
): Promise<readonly (readonly PublishSchema[])[]> {
  const rows = await db.$queryRaw<(PublishSchema & { readonly accountId: string })[]>`
    select account_id as "accountId", name as type, schema::text as schema,
      on_mismatch = 'reject' as "isRequired"
    from event_types
    where account_id = any (${`{${accountIds.join(",")}}`}::uuid[])
      and schema is not null and schema::text <> 'null'`;
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return accountIds.map((accountId) => byAccount.get(accountId) ?? []);
}
