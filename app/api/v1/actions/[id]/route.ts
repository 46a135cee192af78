import { getOneAction, patchAction, removeAction } from "#lib/web/api/actions.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneAction,
  PATCH: patchAction,
  DELETE: removeAction,
});
