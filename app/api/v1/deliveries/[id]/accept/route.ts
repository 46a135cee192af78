import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postAccept } from "#lib/web/rest/calls/accept.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postAccept });
