import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postResumeBulkJob } from "#lib/web/rest/calls/bulk-jobs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  POST: postResumeBulkJob,
});
