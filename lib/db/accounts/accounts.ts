import { newId } from "#lib/base/ids.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import type { AccountNotice } from "#lib/schema/account/notices.ts";

/** An account. Its slug never changes: it is part of every catch URL. */
export type AccountRecord = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
};

const select = { id: true, slug: true, name: true, createdAt: true } as const;

/** The accounts of a person, those they joined first first. */
export async function listAccounts(
  db: Database,
  userId: string,
): Promise<readonly AccountRecord[]> {
  const rows = await db.membership.findMany({
    where: { userId },
    select: { account: { select } },
    orderBy: [{ createdAt: "asc" }, { accountId: "asc" }],
    take: 200,
  });
  return rows.map(({ account }) => account);
}

/** Throws `not_found`. */
export async function getAccount(
  db: Database | Transaction,
  accountId: string,
): Promise<AccountRecord> {
  const found = await db.account.findFirst({ where: { id: accountId, deletedAt: null }, select });
  if (found === null) throw notFound("account");
  return found;
}

/** Creates an account with its owner. Null if another one has the slug. */
export async function insertAccount(
  tx: Transaction,
  { userId, ...account }: { readonly name: string; readonly slug: string; readonly userId: string },
): Promise<AccountRecord | null> {
  const id = newId();
  const { count } = await tx.account.createMany({
    data: [{ id, ...account }],
    skipDuplicates: true,
  });
  if (count === 0) return null;
  await tx.membership.create({ data: { accountId: id, userId, role: "owner" } });
  return await getAccount(tx, id);
}

/** No one of the account sees the notice again. */
export async function dismissNotice(
  tx: Transaction,
  accountId: string,
  notice: AccountNotice,
): Promise<void> {
  const where = { id: accountId, NOT: { dismissedNotices: { has: notice } } };
  await tx.account.updateMany({ where, data: { dismissedNotices: { push: notice } } });
}

export async function renameAccount(
  db: Database | Transaction,
  accountId: string,
  name: string,
): Promise<AccountRecord> {
  return await db.account.update({ where: { id: accountId }, data: { name }, select });
}
