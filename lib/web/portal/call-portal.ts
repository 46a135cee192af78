import type { z } from "zod";
import { RateLimiter } from "#lib/core/rate-limiter.ts";
import { AppError } from "#lib/errors.ts";
import type { Permission } from "#lib/schema/account/permissions.ts";
import type { PortalActor } from "#lib/services/frame/actor.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import type { RequestOrigin } from "#lib/services/frame/request-origin.ts";
import { type ServerContext, serviceContext } from "#lib/services/frame/server-context.ts";
import type { Service } from "#lib/services/frame/service.ts";
import { openPortal, type Portal } from "#lib/services/portal/open-portal.ts";

/**
 * A read by a page of the portal, and the capability that the link needs. `run` passes the portal's
 * account and recipient to every query.
 */
export type PortalCall<Input, Value> = {
  readonly needs: Permission;
  readonly run: (portal: Portal, input: Input, context: ServerContext) => Promise<Value>;
};

/**
 * Runs the read for the holder of a token. Throws `not_found` if the token opens nothing, and
 * `forbidden` if the link wasn't made for this.
 */
export async function callPortal<Input, Value>(
  context: ServerContext,
  token: string,
  call: PortalCall<Input, Value>,
  input: Input,
): Promise<Value> {
  const portal = await requireLink(context, token);
  authorize(toActor(portal), call.needs);
  return await call.run(portal, input, context);
}

/** Runs a service for the holder of a token, with the same errors. */
export async function callPortalService<Schema extends z.ZodType, Value>(
  context: ServerContext,
  token: string,
  service: Service<Schema, Value>,
  input: unknown,
  request?: RequestOrigin,
): Promise<Value> {
  const actor = toActor(await requireLink(context, token));
  if (!service.permission.endsWith(":read")) requireFewChanges(actor);
  // The service parses its input, whatever it is.
  return await service(serviceContext(actor, request), input as z.input<Schema>);
}

/**
 * The people of a recipient aren't the account's: each change is an entry of its audit log, and
 * most of them end in calls.
 */
const changes = new RateLimiter({ burst: 100, ratePerSecond: 1, now: () => Date.now() });

/** Throws `rate_limited`. */
function requireFewChanges({ accountId, recipient }: PortalActor): void {
  const seconds = changes.take(`${accountId} ${recipient}`);
  if (seconds === 0) return;
  throw new AppError("rate_limited", "Too many changes. Try again in a moment.", {
    headers: { "retry-after": String(seconds) },
  });
}

async function requireLink({ db }: ServerContext, token: string): Promise<Portal> {
  const portal = await openPortal(db, token);
  if (portal === null) throw new AppError("not_found", linkEnded);
  return portal;
}

function toActor({ accountId, recipient, capabilities }: Portal): PortalActor {
  return { type: "portal", accountId, recipient, capabilities };
}

const linkEnded =
  "This link has expired or was revoked. Open the page where you found it again, or ask for a new link.";
