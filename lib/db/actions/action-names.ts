import type { Database } from "#lib/db/postgres/client.ts";

export type ActionName = {
  readonly id: string;
  readonly name: string;
  readonly hookId: string;
  readonly hookName: string;
};

/** Reads the names of these actions. Deleted ones and those of other accounts are omitted. */
export async function readActionNames(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly ActionName[]> {
  const rows = await db.action.findMany({
    where: { id: { in: [...new Set(ids)] }, accountId, deletedAt: null, hook: { deletedAt: null } },
    select: { id: true, name: true, hookId: true, hook: { select: { name: true } } },
  });
  return rows.map(({ hook, ...action }) => ({ ...action, hookName: hook.name }));
}

/**
 * Actions whose name or hook's name contains a text, by hook and name. An empty text is in every
 * name.
 *
 * @param hookId the hook whose actions are searched; null: all hooks
 */
export async function findActionsByName(
  db: Database,
  accountId: string,
  {
    text,
    hookId,
    limit,
  }: { readonly text: string; readonly hookId: string | null; readonly limit: number },
): Promise<readonly ActionName[]> {
  return await db.$queryRaw`
    select a.id, a.name, h.id as "hookId", h.name as "hookName"
    from actions a join hooks h on h.id = a.hook_id
    where a.account_id = ${accountId}::uuid and a.deleted_at is null and h.deleted_at is null
      and (${hookId}::uuid is null or a.hook_id = ${hookId}::uuid)
      and strpos(lower(a.name || ' ' || h.name), lower(${text})) > 0
    order by h.name, a.name, a.id limit ${limit}::int`;
}
