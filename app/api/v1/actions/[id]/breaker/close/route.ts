import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postCloseBreaker } from "#lib/web/rest/calls/actions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  POST: postCloseBreaker,
});
