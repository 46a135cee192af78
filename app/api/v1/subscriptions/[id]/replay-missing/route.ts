import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postReplayMissing } from "#lib/web/rest/calls/subscriptions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  POST: postReplayMissing,
});
