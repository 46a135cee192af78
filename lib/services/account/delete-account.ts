import { AppError, invalidField } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { hasOtherAccount, markAccountDeleted } from "#lib/db/accounts/delete-account.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { lockOwners } from "#lib/db/accounts/owner.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { accountDeletionSchema } from "#lib/schema/account/account.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { accountDeleted, audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

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
      const account = await getAccount(tx, id);
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
