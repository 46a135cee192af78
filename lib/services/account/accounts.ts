import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import {
  type AccountRecord,
  getAccount as findAccount,
  listAccounts as findAccounts,
  insertAccount,
} from "#lib/db/accounts/accounts.ts";
import { hasOtherAccount } from "#lib/db/accounts/delete-account.ts";
import { chooseAccount } from "#lib/db/accounts/sessions.ts";
import { listMembers } from "#lib/db/members/members.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { newAccountSchema } from "#lib/schema/account/account.ts";
import { maxPeople } from "#lib/schema/account/member.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { personOf, requirePerson, requireUser } from "./require-user.ts";

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
  input: z.strictObject({ id: recordId }),
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
