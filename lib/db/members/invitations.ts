import { randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { invitationDays } from "#lib/schema/account/member.ts";
import { isRole, type Role } from "#lib/schema/account/role.ts";

/** An invitation as its account sees it. Only the SHA-256 of its token is stored. */
export type InvitationRecord = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** The name of who invited. Null: a program, or they have no user any more. */
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export type NewInvitation = { readonly invitation: InvitationRecord; readonly token: string };

/** An invitation, as its link opens it. */
export type OpenInvitation = {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string | null;
  /** The person with this address, if there is one already. */
  readonly userId: string | null;
  /** The link was sent to the mailbox, and no one else got it. */
  readonly isMailed: boolean;
};

const select = {
  id: true,
  email: true,
  role: true,
  createdAt: true,
  expiresAt: true,
  inviter: { select: { name: true } },
} as const;

/** Creates an invitation and returns its token, which can't be read again later. */
export async function insertInvitation(
  tx: Transaction,
  accountId: string,
  { email, role, userId }: { email: string; role: Role; userId: string | null },
): Promise<NewInvitation> {
  const id = newId();
  const token = newToken();
  await tx.$executeRaw`
    insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
    values (${id}::uuid, ${accountId}::uuid, ${email}, ${role}, ${hashToken(token)}, ${userId}::uuid,
      now() + make_interval(days => ${invitationDays}::int))`;
  return { invitation: await getInvitation(tx, accountId, id), token };
}

/** Gives an invitation a new token and time. The earlier link stops working. */
export async function renewInvitation(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<NewInvitation> {
  const token = newToken();
  await tx.$executeRaw`
    update invitations set token_hash = ${hashToken(token)}, mailed = false,
      expires_at = now() + make_interval(days => ${invitationDays}::int)
    where id = ${requireId("invitation", id)}::uuid and account_id = ${accountId}::uuid`;
  return { invitation: await getInvitation(tx, accountId, id), token };
}

/** Records that the newest link was sent to the mailbox. Anyone who opens it reads that mailbox. */
export async function markMailed(
  db: SqlStatements,
  accountId: string,
  { invitation, token }: NewInvitation,
): Promise<void> {
  await db.$executeRaw`
    update invitations set mailed = true
    where id = ${invitation.id}::uuid and account_id = ${accountId}::uuid and token_hash = ${hashToken(token)}`;
}

/** Lists open invitations, newest first, expired ones too. */
export async function listInvitations(
  db: Database,
  accountId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<InvitationRecord>> {
  const rows = await db.invitation.findMany({
    where: { accountId, id: { lt: decodeCursor(cursor) } },
    select,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows.map(toRecord), limit);
}

/** Throws `not_found`. */
export async function getInvitation(
  db: Database | Transaction,
  accountId: string,
  id: string,
): Promise<InvitationRecord> {
  const where = { accountId, id: requireId("invitation", id) };
  const found = await db.invitation.findFirst({ where, select });
  if (found === null) throw notFound("invitation");
  return toRecord(found);
}

export async function hasInvitation(
  tx: Transaction,
  accountId: string,
  email: string,
): Promise<boolean> {
  return (await tx.invitation.count({ where: { accountId, email } })) > 0;
}

/** Its link stops working at once. Throws `not_found` if it was used or revoked meanwhile. */
export async function deleteInvitation(tx: Transaction, id: string): Promise<void> {
  const { count } = await tx.invitation.deleteMany({ where: { id } });
  if (count === 0) throw notFound("invitation");
}

/** The invitation of a link, or null if it is unknown, used, revoked, or expired by the database's clock. */
export async function findInvitation(
  db: SqlStatements,
  token: string,
): Promise<OpenInvitation | null> {
  if (!tokenPattern.test(token)) return null;
  const [row] = await db.$queryRaw<OpenRow[]>`
    select i.id, i.account_id as "accountId", a.name as "accountName", i.email, i.role,
      inviter.name as "invitedBy", u.id as "userId", i.mailed as "isMailed"
    from invitations i join accounts a on a.id = i.account_id
      left join users inviter on inviter.id = i.invited_by left join users u on u.email = i.email
    where i.token_hash = ${hashToken(token)} and i.expires_at > now()`;
  return row === undefined || !isRole(row.role) ? null : { ...row, role: row.role };
}

/** Uses up an invitation. False if another use, a revocation, or its end came first. */
export async function consumeInvitation(tx: SqlStatements, token: string): Promise<boolean> {
  const used = await tx.$executeRaw`
    delete from invitations where token_hash = ${hashToken(token)} and expires_at > now()`;
  return used === 1;
}

type OpenRow = {
  id: string;
  accountId: string;
  accountName: string;
  email: string;
  role: string;
  invitedBy: string | null;
  userId: string | null;
  isMailed: boolean;
};

type Row = Omit<InvitationRecord, "role" | "invitedBy"> & {
  readonly role: string;
  readonly inviter: { readonly name: string } | null;
};

function toRecord({ inviter, role, ...row }: Row): InvitationRecord {
  // A check of the column allows no other role.
  return { ...row, role: isRole(role) ? role : "viewer", invitedBy: inviter?.name ?? null };
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits. */
function newToken(): string {
  return randomBytes(32).toString("base64url");
}
