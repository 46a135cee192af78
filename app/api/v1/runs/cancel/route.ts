import { postBulkCancel } from "#lib/web/api/bulk-jobs.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postBulkCancel });
