import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postReplay } from "#lib/web/rest/calls/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postReplay });
