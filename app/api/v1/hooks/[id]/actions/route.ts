import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getActions, postAction } from "#lib/web/rest/calls/actions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getActions,
  POST: postAction,
});
