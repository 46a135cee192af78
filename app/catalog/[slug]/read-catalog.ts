import { cache } from "react";
import { readPublicCatalog } from "#lib/web/portal/read-catalog.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** The public catalog of an account, read once for a page and its title. */
export const readCatalog = cache((slug: string) => readPublicCatalog(serverContext().db, slug));
