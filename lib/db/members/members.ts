import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { isRole, type Role } from "#lib/schema/account/role.ts";

/** A person of an account. */
export type MemberRecord = {
  /** The id of the user. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: Date;
};

const select = {
  role: true,
  createdAt: true,
  user: { select: { id: true, name: true, email: true } },
} as const;

/** Lists the members of an account, those who signed up last first. */
export async function listMembers(
  db: Database,
  accountId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<MemberRecord>> {
  const rows = await db.membership.findMany({
    where: { accountId, userId: { lt: decodeCursor(cursor) } },
    select,
    orderBy: { userId: "desc" },
    take: limit + 1,
  });
  return toPage(rows.map(toRecord), limit);
}

/** Throws `not_found`. */
export async function getMember(
  db: Database | Transaction,
  accountId: string,
  id: string,
): Promise<MemberRecord> {
  const where = { accountId, userId: requireId("member", id) };
  const found = await db.membership.findFirst({ where, select });
  if (found === null) throw notFound("member");
  return toRecord(found);
}

export async function hasMember(
  db: Database | Transaction,
  accountId: string,
  email: string,
): Promise<boolean> {
  return (await db.membership.count({ where: { accountId, user: { email } } })) > 0;
}

/** Members and open invitations of an account. Call it under `lockAccount`. */
export async function countPeople(tx: Transaction, accountId: string): Promise<number> {
  const where = { accountId };
  return (await tx.membership.count({ where })) + (await tx.invitation.count({ where }));
}

/** The owners of an account. Call it under `lockAccount`, so that the last one stays. */
export async function countOwners(tx: Transaction, accountId: string): Promise<number> {
  return await tx.membership.count({ where: { accountId, role: "owner" } });
}

export async function setMemberRole(
  tx: Transaction,
  accountId: string,
  userId: string,
  role: Role,
): Promise<void> {
  const where = { accountId_userId: { accountId, userId } };
  await tx.membership.update({ where, data: { role } });
}

/** Adds a member. False if they are one already. */
export async function addMembership(
  tx: Transaction,
  membership: { readonly accountId: string; readonly userId: string; readonly role: Role },
): Promise<boolean> {
  const { count } = await tx.membership.createMany({ data: [membership], skipDuplicates: true });
  return count > 0;
}

/**
 * Removes a member in one statement: the membership, their sessions that show the account, and
 * their API tokens of it end together.
 *
 * @param keptSessionId a session that continues in another account of theirs
 */
export async function deleteMember(
  tx: Transaction,
  accountId: string,
  userId: string,
  keptSessionId: string | null = null,
): Promise<void> {
  await tx.$executeRaw`
    with gone as (
      delete from memberships where account_id = ${accountId}::uuid and user_id = ${userId}::uuid
      returning account_id, user_id
    ), ended as (
      delete from sessions s using gone
      where s.user_id = gone.user_id and s.account_id = gone.account_id
        and s.id is distinct from ${keptSessionId}::uuid
    )
    update api_tokens t set revoked_at = now() from gone
    where t.account_id = gone.account_id and t.created_by = gone.user_id and t.revoked_at is null`;
}

type Row = {
  readonly role: string;
  readonly createdAt: Date;
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
};

function toRecord({ role, createdAt, user }: Row): MemberRecord {
  // A check of the column allows no other.
  return { ...user, role: isRole(role) ? role : "viewer", joinedAt: createdAt };
}
