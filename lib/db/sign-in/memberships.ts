import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { isRole, type Role } from "#lib/schema/account/role.ts";

/** The accounts of a user, always in the same order, so that two transactions never lock them crosswise. */
export async function listMemberships(
  tx: Database | Transaction,
  userId: string,
): Promise<readonly { readonly accountId: string; readonly role: Role }[]> {
  const rows = await tx.membership.findMany({
    where: { userId },
    orderBy: { accountId: "asc" },
    select: { accountId: true, role: true },
  });
  return rows.flatMap(({ accountId, role }) => (isRole(role) ? [{ accountId, role }] : []));
}
