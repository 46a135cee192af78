import { postPreview } from "#lib/web/api/preview.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postPreview });
