import type { Transaction } from "#lib/db/postgres/client.ts";

type OwnPath = { readonly id: string; readonly accountId: string; readonly path: string };

/** The hook that has a path, or had it until a while ago. */
export type PathOwner = {
  readonly name: string;
  /** When it stops working there. Null: it is the hook's path now. */
  readonly expiresAt: Date | null;
};

/**
 * Makes a path the current one of a locked hook without a current path. A trigger notifies every
 * process in the same transaction.
 *
 * @returns false if another hook of the account has it, or had it until a while ago
 */
export async function takePath(
  tx: Transaction,
  { id, accountId, path }: OwnPath,
): Promise<boolean> {
  const taken = await tx.$executeRaw`
    insert into hook_paths (account_id, path, hook_id) values (${accountId}::uuid, ${path}, ${id}::uuid)
    on conflict (account_id, path) do update set hook_id = excluded.hook_id, expires_at = null
    where hook_paths.hook_id = excluded.hook_id or hook_paths.expires_at <= now()`;
  return taken > 0;
}

/** Keeps the current path of a locked hook working for so many seconds. 0: it ends at once. */
export async function endPath(
  tx: Transaction,
  { id, accountId, path }: OwnPath,
  seconds: number,
): Promise<void> {
  if (seconds === 0) {
    await tx.hookPath.deleteMany({ where: { accountId, path, hookId: id } });
    return;
  }
  await tx.$executeRaw`
    update hook_paths set expires_at = now() + ${seconds}::int * interval '1 second'
    where account_id = ${accountId}::uuid and path = ${path} and hook_id = ${id}::uuid`;
}

/** Null: no hook of the account has it. */
export async function findPathOwner(
  tx: Transaction,
  accountId: string,
  path: string,
): Promise<PathOwner | null> {
  const row = await tx.hookPath.findFirst({
    where: { accountId, path },
    select: { expiresAt: true, hook: { select: { name: true } } },
  });
  return row === null ? null : { name: row.hook.name, expiresAt: row.expiresAt };
}
