import { AppError } from "#lib/errors.ts";
import type { PortalCapability } from "#lib/schema/sender/recipient.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { openPortal, type Portal } from "./open-portal.ts";

/**
 * Something that the portal reads or does, and what a link needs for it. `run` passes the portal's
 * account and recipient to every query.
 */
export type PortalCall<Input, Value> = {
  readonly needs: PortalCapability;
  readonly run: (portal: Portal, input: Input, context: ServerContext) => Promise<Value>;
};

/**
 * Does it for the holder of a token. Throws `not_found` if the token opens nothing, and `forbidden`
 * if the link wasn't made for this.
 */
export async function callPortal<Input, Value>(
  context: ServerContext,
  token: string,
  call: PortalCall<Input, Value>,
  input: Input,
): Promise<Value> {
  const portal = await openPortal(context.db, token);
  if (portal === null) throw new AppError("not_found", linkEnded);
  if (!portal.capabilities.includes(call.needs)) throw new AppError("forbidden", notIncluded);
  return await call.run(portal, input, context);
}

const linkEnded =
  "This link has expired or was revoked. Open the page where you found it again, or ask for a new link.";
const notIncluded = "This link doesn't include that. Ask for a link with more permissions.";
