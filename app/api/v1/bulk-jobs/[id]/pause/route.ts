import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postPauseBulkJob } from "#lib/web/rest/calls/bulk-jobs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  POST: postPauseBulkJob,
});
