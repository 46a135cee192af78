import { listAccounts } from "#lib/services/account/accounts.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { countOpenProblems } from "#lib/services/problems/read-problems.ts";
import type { Session } from "#lib/web/auth/session.ts";

/** The frame of every page: the signed-in user, and their accounts. */
export async function readShell(context: ServiceContext, session: Session) {
  const { email, timeZone, role, accountId, accountName } = session;
  const readAtMs = context.now().getTime();
  const [accounts, openProblems] = await Promise.all([
    listAccounts(context, {}),
    countOpenProblems(context, {}),
  ]);
  return {
    ...{ email, timeZone, role, openProblems, readAtMs },
    account: { id: accountId, name: accountName },
    accounts: accounts.map(({ id, name }) => ({ id, name })),
  };
}
