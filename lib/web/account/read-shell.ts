import { isAllowed } from "#lib/schema/account/permissions.ts";
import { listAccounts } from "#lib/services/account/accounts.ts";
import { seesMasked } from "#lib/services/frame/actor.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { countOpenProblems } from "#lib/services/problems.ts";
import type { Session } from "#lib/web/auth/session.ts";

/** The frame of every page: the signed-in user, and of their account what they may read. */
export async function readShell(context: ServiceContext, session: Session) {
  const { email, timeZone, role, accountId, accountName } = session;
  const readAtMs = context.now().getTime();
  const own = { id: accountId, name: accountName };
  const [accounts, openProblems] = await Promise.all([
    isAllowed(role, "account:read") ? listAccounts(context, {}) : [own],
    isAllowed(role, "deliveries:read") ? countOpenProblems(context, {}) : 0,
  ]);
  return {
    ...{ email, timeZone, role, openProblems, readAtMs },
    seesMasked: seesMasked(context.actor),
    account: own,
    accounts: accounts.map(({ id, name }) => ({ id, name })),
  };
}
