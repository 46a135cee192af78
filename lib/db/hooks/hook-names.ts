import type { Database } from "#lib/db/postgres/client.ts";

/** The names of these hooks by id. Others' and deleted ones are left out. */
export async function readHookNames(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.hook.findMany({
    where: { id: { in: [...new Set(ids)] }, accountId, deletedAt: null },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The newest hooks whose names contain a text; an empty text is in every name. */
export async function findHooksByName(
  db: Database,
  accountId: string,
  text: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return await db.$queryRaw`
    select id, name from hooks
    where account_id = ${accountId}::uuid and deleted_at is null and strpos(lower(name), lower(${text})) > 0
    order by id desc limit ${limit}::int`;
}
