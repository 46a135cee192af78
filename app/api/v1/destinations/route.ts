import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getDestinations, postDestination } from "#lib/web/rest/calls/receivers/destinations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getDestinations,
  POST: postDestination,
});
