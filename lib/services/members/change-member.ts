import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import {
  countOwners,
  deleteMember,
  getMember,
  type MemberRecord,
  setMemberRole,
} from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { memberChangeSchema } from "#lib/schema/account/member.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import { requireUser } from "#lib/services/account/require-user.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireRank } from "./require-rank.ts";

/** Changes what a member may do, from their next request on. The last owner stays an owner. */
export const changeMemberRole = service({
  permission: "members:write",
  input: memberChangeSchema,
  run: async (context, { id, role }): Promise<MemberRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const before = await getMember(tx, actor.accountId, id);
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
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const member = await getMember(tx, actor.accountId, id);
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
      const member = await getMember(tx, accountId, userId);
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
