import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getProviders } from "#lib/web/rest/calls/providers.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: getProviders });
