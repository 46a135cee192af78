import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "#server/system/paths.ts";

/** A page or file that everyone gets as the same bytes. */
export type PublicPath = {
  /** The path that the web process is asked for. */
  readonly path: string;
  /** How long a response is kept, in milliseconds. */
  readonly keptMs: number;
  /** The statuses of responses that are kept. */
  readonly statuses: readonly number[];
  /** True if people who are signed in get another page. */
  readonly isForVisitors: boolean;
};

const minuteMs = 60_000;
/** Where tools sign in, and where they learn that. */
const metadata = /^\/\.well-known\/(oauth-authorization-server|oauth-protected-resource(\/mcp)?)$/;
/** A server offers the command line that fits it. */
const commandLine = "/cli/catchment.mjs";
/** The documentation is part of the installation. */
const docs = /^\/docs(\/[a-z-]+){0,2}$/;
/** Its owner may change it, or hide it. */
const catalog = /^\/catalog\/[^/]+(\/[^/]+)?$/;
/** The name of such a file changes with its content. */
const builtFile = /^\/_next\/static\/|^\/icon\.svg$/;
const missingPath = "/no-such-page";

/**
 * Finds the public page that a request is for. With a query, or for Next's scripts, it is another
 * request.
 *
 * @param isRoute whether the dashboard, the portal, or the API has something at a path
 */
export function findPublicPath(
  { method, url = "", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  isRoute: (path: string) => boolean,
): PublicPath | undefined {
  if (method !== "GET" || headers.rsc !== undefined) return undefined;
  const found = { path: url, statuses: [200], isForVisitors: false };
  if (builtFile.test(url)) return { ...found, keptMs: 60 * minuteMs };
  if (metadata.test(url) || url === commandLine) return { ...found, keptMs: minuteMs };
  if (url !== "/docs/search" && docs.test(url)) return { ...found, keptMs: minuteMs };
  if (url === "/sign-in") return { ...found, keptMs: 1_000, isForVisitors: true };
  if (catalog.test(url)) return { ...found, keptMs: 1_000, statuses: [200, 404] };
  const [path = ""] = url.split("?", 1);
  if (path.includes("%") || isRoute(path)) return undefined;
  return { path: missingPath, keptMs: minuteMs, statuses: [404], isForVisitors: true };
}

const manifestSchema = z.object({
  staticRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
});
const catchAll = ["/[...missing]", "/_not-found", "/_global-error"];

/**
 * Knows the routes of the dashboard, once it is built. Until then, there may be something at any path.
 *
 * @param isPending whether the dashboard is still being built
 */
export function createRouteCheck(isPending: () => boolean): (path: string) => boolean {
  let isRoute: ((path: string) => boolean) | undefined;
  return (path) => {
    if (isRoute === undefined && isPending()) return true;
    isRoute ??= readRoutes();
    return isRoute(path);
  };
}

function readRoutes(): (path: string) => boolean {
  const text = readFileSync(join(projectRoot, ".next", "routes-manifest.json"), "utf8");
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(JSON.parse(text));
  const routes = [...staticRoutes, ...dynamicRoutes]
    .filter(({ page }) => !catchAll.includes(page))
    .map(({ regex }) => new RegExp(regex));
  return (path) => path.startsWith("/_next/") || routes.some((route) => route.test(path));
}
