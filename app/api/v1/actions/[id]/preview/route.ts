import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postPreview } from "#lib/web/rest/calls/preview.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postPreview });
