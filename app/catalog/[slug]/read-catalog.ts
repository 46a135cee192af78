import { cache } from "react";
import { readCatalogType, readPublicCatalog } from "#lib/services/event-types.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";

/** The public catalog of an account, read once for a page and its title. */
export const readCatalog = cache((slug: string) => readPublicCatalog(serverContext(), slug));

/** A type of a catalog that is public. */
export function readType(accountId: string, name: string, version?: string) {
  return readCatalogType(serverContext(), accountId, name, version);
}
