import { serveHealth } from "#lib/web/api/serve-health.ts";

export {
  serveHealth as DELETE,
  serveHealth as GET,
  serveHealth as HEAD,
  serveHealth as OPTIONS,
  serveHealth as PATCH,
  serveHealth as POST,
  serveHealth as PUT,
};
