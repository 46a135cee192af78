import { apiRoute } from "#lib/web/rest/api-route.ts";
import {
  getOneDestination,
  patchDestination,
  removeDestination,
} from "#lib/web/rest/calls/receivers/destinations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneDestination,
  PATCH: patchDestination,
  DELETE: removeDestination,
});
