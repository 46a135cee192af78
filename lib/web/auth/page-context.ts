import { cache } from "react";
import type { Permission } from "#lib/schema/account/permissions.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import type { RequestOrigin } from "#lib/services/frame/request-origin.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { requireSession, type Session } from "./session.ts";

/**
 * The context of everything that a page of the dashboard reads: its actor is the signed-in user,
 * and its database shows them no masked field. One per request. Redirects to the sign-in page.
 */
export const pageContext = cache(
  async (): Promise<ServiceContext> => userContext(await requireSession()),
);

/** For a page that reads nothing before its form. Throws `forbidden` unless the user may view it. */
export async function authorizePage(permission: Permission): Promise<void> {
  authorize((await pageContext()).actor, permission);
}

/** The context of a service for a signed-in user, and where their request came from. */
export function userContext(
  { accountId, userId, email, role, sessionId, maskedFields }: Session,
  request?: RequestOrigin,
): ServiceContext {
  const user = { accountId, userId, email, role, sessionId, maskedFields };
  return serviceContext({ type: "user", ...user }, request);
}
