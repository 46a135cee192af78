import { AppError, invalidField } from "#lib/base/errors.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { getMember, type MemberRecord, setMemberRole } from "#lib/db/members/members.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { accountTransferSchema } from "#lib/schema/account/account.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requirePerson } from "./require-user.ts";

/**
 * Makes another member the owner in place of the person who asks, who becomes an admin. Throws
 * `not_found` for another account than the actor's, or someone who isn't a member.
 */
export const transferAccount = service({
  permission: "account:transfer",
  input: accountTransferSchema,
  run: async (context, { id, memberId }): Promise<MemberRecord> => {
    const { db, actor } = context;
    if (id !== actor.accountId) throw notFound("account");
    const userId = requirePerson(
      actor,
      "This API token belongs to no member, so it can't transfer the account.",
    );
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, id);
      const { name } = await getAccount(tx, id);
      const from = await getMember(tx, id, userId);
      const to = await getMember(tx, id, memberId);
      if (to.id === from.id) throw invalidField("memberId", "is you. Choose another member");
      // It was read before the lock.
      if (from.role !== "owner") throw new AppError("conflict", "You own this account no longer.");
      await setMemberRole(tx, id, to.id, "owner");
      await setMemberRole(tx, id, from.id, "admin");
      const targets = [
        { type: "account", id, name },
        { type: "user", id: to.id, name: to.email },
      ];
      const states = { before: { owner: from.email }, after: { owner: to.email } };
      await audit(context, { event: "account.transferred", targets, ...states }, tx);
      return { ...to, role: "owner" };
    });
  },
});
