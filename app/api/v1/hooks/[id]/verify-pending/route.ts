import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postVerifyPending } from "#lib/web/rest/calls/hooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  POST: postVerifyPending,
});
