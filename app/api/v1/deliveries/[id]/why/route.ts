import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getWhy } from "#lib/web/rest/calls/action/why.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: getWhy });
