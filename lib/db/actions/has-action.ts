import type { Transaction } from "#lib/db/postgres/client.ts";

/** True if a hook has this action. */
export async function hasAction(
  tx: Transaction,
  hookId: string,
  actionId: string,
): Promise<boolean> {
  return (await tx.action.count({ where: { id: actionId, hookId, deletedAt: null } })) > 0;
}
