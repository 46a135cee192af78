import { getRuns } from "#lib/web/api/runs.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: getRuns });
