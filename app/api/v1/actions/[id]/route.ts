import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getOneAction, patchAction, removeAction } from "#lib/web/rest/calls/actions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneAction,
  PATCH: patchAction,
  DELETE: removeAction,
});
