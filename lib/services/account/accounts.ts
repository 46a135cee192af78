import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import {
  type AccountRecord,
  getAccount as findAccount,
  listAccounts as findAccounts,
  insertAccount,
} from "#lib/db/accounts/accounts.ts";
import { hasOtherAccount, markAccountDeleted } from "#lib/db/accounts/delete-account.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { lockOwners } from "#lib/db/accounts/owner.ts";
import { chooseAccount } from "#lib/db/accounts/sessions.ts";
import {
  getMember,
  listMembers,
  type MemberRecord,
  setMemberRole,
} from "#lib/db/members/members.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import {
  accountDeletionSchema,
  accountTransferSchema,
  newAccountSchema,
} from "#lib/schema/account/account.ts";
import { maxPeople } from "#lib/schema/account/member.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { byId, noFields } from "#lib/schema/field/common.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { accountDeleted, audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { personOf, requirePerson, requireUser } from "./person.ts";

export type { AccountRecord };

/** The account of the actor, and the others that the person belongs to. */
export const listAccounts = service({
  permission: "account:read",
  input: noFields,
  run: async ({ db, actor }): Promise<readonly AccountRecord[]> => {
    const userId = personOf(actor);
    if (userId === null) return [await findAccount(db, actor.accountId)];
    return await findAccounts(db, userId);
  },
});

/** Throws `not_found` for another account than the actor's. */
export const getAccount = service({
  permission: "account:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<AccountRecord> => {
    if (id !== actor.accountId) throw notFound("account");
    return await findAccount(db, id);
  },
});

/** The possible next owners, and whether the account is the installation's only one. */
export const readOwnership = service({
  permission: "account:transfer",
  input: noFields,
  run: async ({ db, actor }) => {
    const [members, hasOther] = await Promise.all([
      listMembers(db, actor.accountId, { limit: maxPeople }),
      hasOtherAccount(db, actor.accountId),
    ]);
    const others = members.items.filter(({ id }) => id !== personOf(actor));
    return { others, isOnlyAccount: !hasOther };
  },
});

/** Creates an account, whose owner is the person who asks. */
export const createAccount = service({
  permission: "accounts:create",
  input: newAccountSchema,
  run: async (context, { name, slug }): Promise<AccountRecord> => {
    const { db, actor } = context;
    const userId = requirePerson(
      actor,
      "This API token belongs to no member, so it can't own an account.",
    );
    return await db.$transaction(async (tx) => {
      const account = await insertAccount(tx, { name, slug, userId });
      if (account === null) throw slugTaken();
      const own = { ...context, actor: { ...actor, accountId: account.id } };
      const targets = [{ type: "account", id: account.id, name }];
      await audit(own, { event: "account.created", targets }, tx);
      return account;
    });
  },
});

/** Lets the session show another account of the user. Throws `not_found` if they don't belong to it. */
export const switchAccount = service({
  permission: "profile:write",
  input: z.strictObject({ id: z.uuid() }),
  run: async ({ db, actor }, { id }): Promise<void> => {
    if (!(await chooseAccount(db, requireUser(actor), id))) throw notFound("account");
  },
});

function slugTaken(): AppError {
  const errors = [{ path: "slug", code: "conflict", message: "is already in use" } as const];
  return new AppError("conflict", checkFields, { errors });
}

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
      const { name } = await findAccount(tx, id);
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

/**
 * Deletes the account. Everyone loses access at once, its catch URLs stop working, and what it stored
 * is removed soon after. Only its audit log stays. Throws `not_found` for another account than the
 * actor's, and `conflict` for the only one: no one could sign in any more.
 */
export const deleteAccount = service({
  permission: "account:delete",
  input: accountDeletionSchema,
  run: async (context, { id, name }): Promise<void> => {
    const { db, actor } = context;
    if (id !== actor.accountId) throw notFound("account");
    const { slug } = await db.$transaction(async (tx) => {
      await lockOwners(tx);
      await lockAccount(tx, id);
      const account = await findAccount(tx, id);
      if (account.name !== name) throw invalidField("name", "is not the name of the account");
      if (!(await hasOtherAccount(tx, id))) throw onlyAccount();
      await markAccountDeleted(tx, id);
      const targets = [{ type: "account", id, name: account.name }];
      const before = { name: account.name, slug: account.slug };
      await audit(context, { event: accountDeleted, targets, before, after: {} }, tx);
      return account;
    });
    log.info("account.deleted", { accountId: id, slug, by: nameActor(actor) });
  },
});

function onlyAccount(): AppError {
  return new AppError(
    "conflict",
    "This is the only account here, and an installation needs one. Create another account first.",
  );
}
