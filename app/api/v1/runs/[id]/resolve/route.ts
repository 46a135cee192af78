import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postResolve } from "#lib/web/rest/calls/runs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postResolve });
