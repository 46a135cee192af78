import { isOwnOrigin } from "#lib/core/sending/address/is-own-origin.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";

/** Checks that a change comes from our own pages, by the headers of its request. */
export function isOwnRequest(headers: Pick<Headers, "get">): boolean {
  const { publicUrl } = serverContext().env;
  return isOwnOrigin({ origin: headers.get("origin"), host: headers.get("host"), publicUrl });
}
