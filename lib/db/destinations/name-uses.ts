import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** An action that uses a destination or a credential. */
export type ActionUse = {
  readonly id: string;
  readonly name: string;
  readonly hookName: string;
};

export type UseOf = "destination" | "credential";

/** The newest actions that name it in their requests. Deleted ones are left out. */
export async function listUses(
  db: SqlStatements,
  accountId: string,
  of: UseOf,
  id: string,
): Promise<readonly ActionUse[]> {
  return of === "destination"
    ? await db.$queryRaw<ActionUse[]>`
        select a.id, a.name, h.name as "hookName" from actions a join hooks h on h.id = a.hook_id
        where a.account_id = ${accountId}::uuid and a.destination_ids @> array[${id}::uuid]
          and a.deleted_at is null and h.deleted_at is null
        order by a.id desc limit ${maxListed}::int`
    : await db.$queryRaw<ActionUse[]>`
        select a.id, a.name, h.name as "hookName" from actions a join hooks h on h.id = a.hook_id
        where a.account_id = ${accountId}::uuid and a.credential_ids @> array[${id}::uuid]
          and a.deleted_at is null and h.deleted_at is null
        order by a.id desc limit ${maxListed}::int`;
}

/** The newest destinations that have a credential. */
export async function listDestinationsOf(
  db: SqlStatements,
  accountId: string,
  credentialId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return await db.$queryRaw`
    select id, name from destinations
    where account_id = ${accountId}::uuid and credential_id = ${credentialId}::uuid
    order by id desc limit ${maxListed}::int`;
}

const maxListed = 100;
const maxNamed = 5;

/** `the actions "a" and "b"`, for a sentence. */
export function nameUses(what: string, names: readonly string[]): string {
  const named = names.slice(0, maxNamed).map((name) => `"${name}"`);
  const rest = names.length - named.length;
  const parts = rest > 0 ? [...named, `${rest} more`] : named;
  const last = parts.pop() ?? "";
  const list = parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
  return `the ${what}${names.length === 1 ? "" : "s"} ${list}`;
}
