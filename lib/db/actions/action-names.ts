import type { Database } from "#lib/db/postgres/client.ts";

export type ActionName = {
  readonly id: string;
  readonly name: string;
  readonly hookId: string;
  readonly hookName: string;
};

const most = 1_000;

/** The actions of an account for a picker, by hook and name. */
export async function listActionNames(
  db: Database,
  accountId: string,
): Promise<readonly ActionName[]> {
  const actions = await db.action.findMany({
    where: { accountId, deletedAt: null, hook: { deletedAt: null } },
    orderBy: [{ hook: { name: "asc" } }, { name: "asc" }, { id: "asc" }],
    take: most,
    select: { id: true, name: true, hookId: true, hook: { select: { name: true } } },
  });
  return actions.map(({ id, name, hookId, hook }) => ({ id, name, hookId, hookName: hook.name }));
}
