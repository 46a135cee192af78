import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getHandshakeSecret } from "#lib/web/rest/calls/hooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getHandshakeSecret,
});
