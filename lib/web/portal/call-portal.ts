import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import type { PortalActor } from "#lib/services/frame/actor.ts";
import type { RequestOrigin } from "#lib/services/frame/request-origin.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import type { Service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { openPortal } from "#lib/services/portal.ts";

/**
 * Runs a service for the holder of a token; the link's account and recipient limit what it reads.
 * Throws `not_found` if the token opens nothing, and `forbidden` if the link wasn't made for this.
 */
export async function callPortalService<Schema extends z.ZodType, Value>(
  parts: ServiceParts,
  token: string,
  service: Service<Schema, Value>,
  input: unknown,
  request?: RequestOrigin,
): Promise<Value> {
  const actor = await requireLink(parts, token);
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

async function requireLink(parts: ServiceParts, token: string): Promise<PortalActor> {
  const portal = await openPortal(parts, token);
  if (portal === null) throw new AppError("not_found", linkEnded);
  const { accountId, recipient, capabilities } = portal;
  return { type: "portal", accountId, recipient, capabilities };
}

const linkEnded =
  "This link has expired or was revoked. Open the page where you found it again, or ask for a new link.";
