import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A version of an event type, and the schema of its data. */
export type PublishSchema = {
  readonly type: string;
  /** `first`, or a date. */
  readonly version: string;
  readonly isNewest: boolean;
  /** JSON text of a JSON Schema. Null: any data is valid. */
  readonly schema: string | null;
  /** True if an event that doesn't match is rejected. Otherwise it is stored with a warning. */
  readonly isRequired: boolean;
};

/** Finds the event types that have a schema or versions, for each account in order. */
export async function findPublishSchemas(
  db: SqlStatements,
  accountIds: readonly string[],
): Promise<readonly (readonly PublishSchema[])[]> {
  const ids = `{${accountIds.join(",")}}`;
  const rows = await db.$queryRaw<(PublishSchema & { readonly accountId: string })[]>`
    select account_id as "accountId", name as type, version, true as "isNewest",
      nullif(schema::text, 'null') as schema, on_mismatch = 'reject' as "isRequired"
    from event_types
    where account_id = any (${ids}::uuid[])
      and (version <> 'first' or (schema is not null and schema::text <> 'null'))
    union all
    select account_id, name, former.version, false, nullif(former.schema::text, 'null'), on_mismatch = 'reject'
    from event_type_versions former join event_types using (account_id, name)
    where account_id = any (${ids}::uuid[])`;
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return accountIds.map((accountId) => byAccount.get(accountId) ?? []);
}
