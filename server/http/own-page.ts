import type { IncomingMessage } from "node:http";
import { isOwnOrigin } from "#lib/core/sending/address/is-own-origin.ts";

/** These change nothing (RFC 9110 §9.2.1). */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
/** Tokens authorize these, and browsers don't send tokens by themselves. */
const apiPath = /^\/api\/v1(\/|\?|$)/;
/**
 * Codes and tokens authorize these. Tools send no `Origin`, and a foreign page must neither begin sign-ins from its
 * visitor's address, nor call what is only here by another name of this host.
 */
const toolPath = /^\/(oauth\/|mcp(\?|$))/;

/**
 * Checks that a change to the dashboard or the portal comes from one of our pages. Commands check it
 * again where they run. Here a flood of requests costs next to nothing.
 */
export function createPageCheck(publicUrl: string): (request: IncomingMessage) => boolean {
  return ({ method = "", url = "", headers }) => {
    if (safeMethods.has(method) || apiPath.test(url)) return true;
    const { origin = null, host = null } = headers;
    if (origin === null && toolPath.test(url)) return true;
    return isOwnOrigin({ origin, host, publicUrl });
  };
}
