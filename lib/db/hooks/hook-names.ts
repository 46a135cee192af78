import type { Database } from "#lib/db/postgres/client.ts";

/** Reads the names of these hooks by id. Deleted ones and those of other accounts are omitted. */
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

type HookLabel = { readonly name: string; readonly provider: string };

/** Reads the names and providers of these hooks by id. */
export async function readHookLabels(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HookLabel>> {
  const rows = await db.hook.findMany({
    where: { id: { in: [...new Set(ids)] }, accountId, deletedAt: null },
    select: { id: true, name: true, provider: true },
  });
  return new Map(rows.map(({ id, name, provider }) => [id, { name, provider }]));
}

/** Finds the newest hooks whose names contain a text. An empty text is in every name. */
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
