import { serveApi } from "#lib/web/api/serve-api.ts";
import { serveHealth, serveLiveness } from "#lib/web/api/serve-health.ts";

/**
 * Serves a request of a program without Next, for the web process while the dashboard is being
 * built. Undefined: only the dashboard has something at this path.
 */
export function serveWithoutPages(request: Request): Promise<Response> | undefined {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/api/v1/")) return serveApi(request);
  switch (pathname) {
    case "/api/health":
    case "/api/health/ready":
      return serveHealth(request);
    case "/api/health/live":
      return serveLiveness(request);
    default:
      return undefined;
  }
}
