import { listAccounts } from "#lib/db/accounts/accounts.ts";
import type { SessionUser } from "#lib/db/accounts/sessions.ts";
import { countOpenProblems } from "#lib/db/problems/problems.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The frame of every page: the signed-in user, and their accounts. */
export async function readShell({ db }: ServiceContext, session: SessionUser) {
  const { email, timeZone, role, userId, accountId, accountName } = session;
  const readAtMs = Date.now();
  const [accounts, openProblems] = await Promise.all([
    listAccounts(db, userId),
    countOpenProblems(db, accountId),
  ]);
  return {
    ...{ email, timeZone, role, openProblems, readAtMs },
    account: { id: accountId, name: accountName },
    accounts: accounts.map(({ id, name }) => ({ id, name })),
  };
}
