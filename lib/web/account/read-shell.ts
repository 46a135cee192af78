import { isAllowed } from "#lib/schema/account/permissions.ts";
import { listAccounts } from "#lib/services/account/accounts.ts";
import { seesMasked } from "#lib/services/frame/actor.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { countOpenProblems } from "#lib/services/problems.ts";
import type { Session } from "#lib/web/auth/session.ts";
import { readDefaultViews } from "#lib/web/saved-views/read-saved-views.ts";

/** The frame of every page: the signed-in user, and of their account what they may read. */
export async function readShell(context: ServiceContext, session: Session) {
  const { email, timeZone, role, accountId, accountName, dismissedNotices } = session;
  const readAtMs = context.now().getTime();
  const own = { id: accountId, name: accountName };
  const readsDeliveries = isAllowed(role, "deliveries:read");
  const [accounts, openProblems, defaultViews] = await Promise.all([
    isAllowed(role, "account:read") ? listAccounts(context, {}) : [own],
    readsDeliveries ? countOpenProblems(context, {}) : 0,
    readsDeliveries ? readDefaultViews(context) : {},
  ]);
  return {
    ...{ email, timeZone, role, openProblems, defaultViews, readAtMs, dismissedNotices },
    seesMasked: seesMasked(context.actor),
    account: own,
    accounts: accounts.map(({ id, name }) => ({ id, name })),
  };
}
