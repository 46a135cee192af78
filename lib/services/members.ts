import { AppError } from "#lib/base/errors.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import {
  getInvitation as findInvitation,
  listInvitations as findInvitations,
} from "#lib/db/members/invitations.ts";
import {
  countOwners,
  deleteMember,
  getMember as findMember,
  listMembers as findMembers,
  type MemberRecord,
  setMemberRole,
} from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { maxPeople, memberChangeSchema, peopleQuerySchema } from "#lib/schema/account/member.ts";
import { isAtLeast, type Role } from "#lib/schema/account/role.ts";
import { byId, noFields } from "#lib/schema/field/common.ts";
import { requireUser } from "#lib/services/account/person.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { InvitationRecord } from "#lib/db/members/invitations.ts";

export type { MemberRecord } from "#lib/db/members/members.ts";

/** Everyone of the account, and its open invitations. */
export const readPeople = service({
  permission: "members:read",
  input: noFields,
  run: async ({ db, env, actor }) => {
    const page = { limit: maxPeople };
    const [members, invitations] = await Promise.all([
      findMembers(db, actor.accountId, page),
      findInvitations(db, actor.accountId, page),
    ]);
    const sendsEmail = env.mail !== undefined;
    return { members: members.items, invitations: invitations.items, sendsEmail };
  },
});

export const listMembers = service({
  permission: "members:read",
  input: peopleQuerySchema,
  run: ({ db, actor }, page) => findMembers(db, actor.accountId, page),
});

/** Returns a member of the account. Throws `not_found`. */
export const getMember = service({
  permission: "members:read",
  input: byId,
  run: ({ db, actor }, { id }) => findMember(db, actor.accountId, id),
});

/** Lists the invitations that are still open. */
export const listInvitations = service({
  permission: "members:read",
  input: peopleQuerySchema,
  run: ({ db, actor }, page) => findInvitations(db, actor.accountId, page),
});

/** Returns an invitation to the account. Throws `not_found`. */
export const getInvitation = service({
  permission: "members:read",
  input: byId,
  run: ({ db, actor }, { id }) => findInvitation(db, actor.accountId, id),
});

/** Changes what a member may do, from their next request on. The last owner stays an owner. */
export const changeMemberRole = service({
  permission: "members:write",
  input: memberChangeSchema,
  run: async (context, { id, role }): Promise<MemberRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const before = await findMember(tx, actor.accountId, id);
      if (before.role === role) return before;
      requireRank(actor, before.role, role);
      await requireOtherOwner(tx, actor.accountId, before);
      await setMemberRole(tx, actor.accountId, id, role);
      const entry = { event: "member.role_changed", targets: [toTarget(before)] };
      await audit(context, { ...entry, before: { role: before.role }, after: { role } }, tx);
      return { ...before, role };
    });
  },
});

/** Removes a member: their sessions in this account and their API tokens of it end with them. */
export const removeMember = service({
  permission: "members:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const member = await findMember(tx, actor.accountId, id);
      requireRank(actor, member.role);
      await requireOtherOwner(tx, actor.accountId, member);
      await deleteMember(tx, actor.accountId, member.id);
      await audit(context, { event: "member.removed", targets: [toTarget(member)] }, tx);
    });
  },
});

/** Removes the user from the account. Their session continues in another account of theirs. */
export const leaveAccount = service({
  permission: "profile:write",
  input: noFields,
  run: async (context): Promise<void> => {
    const { accountId, userId, sessionId } = requireUser(context.actor);
    await context.db.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const member = await findMember(tx, accountId, userId);
      await requireOtherOwner(tx, accountId, member);
      await deleteMember(tx, accountId, userId, sessionId);
      await audit(context, { event: "member.left", targets: [toTarget(member)] }, tx);
    });
  },
});

/** Throws `conflict` for the last owner: someone must be able to manage the account. */
async function requireOtherOwner(
  tx: Transaction,
  accountId: string,
  { role }: MemberRecord,
): Promise<void> {
  if (role !== "owner" || (await countOwners(tx, accountId)) > 1) return;
  throw new AppError("conflict", "An account needs an owner. Make someone else an owner first.");
}

function toTarget({ id, email }: MemberRecord) {
  return { type: "user", id, name: email };
}

/**
 * Members give no more than their own role, and change no one above them: only
 * owners deal with owners. Throws `forbidden`.
 */
export function requireRank(actor: Actor, ...roles: readonly Role[]): void {
  const own = actor.type === "user" || actor.type === "token" ? actor.role : "owner";
  const above = roles.find((role) => !isAtLeast(own, role));
  if (above !== undefined)
    throw new AppError("forbidden", `Only owners can add, change, or remove an ${above}.`);
}
