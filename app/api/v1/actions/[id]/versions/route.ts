import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getVersions } from "#lib/web/rest/calls/action/versions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: getVersions });
