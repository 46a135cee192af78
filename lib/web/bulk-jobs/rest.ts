import { cancelBulkJob } from "#lib/services/bulk-jobs/cancel-bulk-job.ts";
import { pauseReplay, resumeReplay } from "#lib/services/bulk-jobs/pause-bulk-job.ts";
import { getBulkJob, listBulkJobs } from "#lib/services/bulk-jobs/read-bulk-jobs.ts";
import { type Route, route } from "#lib/web/rest/route/route.ts";
import { pageView } from "#lib/web/rest/route/view.ts";
import { bulkJobView } from "./bulk-job-view.ts";

export const bulkJobRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/bulk-jobs",
    operationId: "listBulkJobs",
    summary: "List bulk jobs",
    description: "Finished ones are deleted after 30 days.",
    service: listBulkJobs,
    view: pageView(bulkJobView),
  }),
  route({
    method: "GET",
    path: "/bulk-jobs/{id}",
    operationId: "getBulkJob",
    summary: "Get a bulk job, with its progress",
    service: getBulkJob,
    view: bulkJobView,
  }),
  route({
    method: "POST",
    path: "/bulk-jobs/{id}/cancel",
    operationId: "cancelBulkJob",
    summary: "Stop a bulk job",
    description: "What it has changed stays changed.",
    service: cancelBulkJob,
    view: bulkJobView,
  }),
  route({
    method: "POST",
    path: "/bulk-jobs/{id}/pause",
    operationId: "pauseReplay",
    summary: "Pause a replay",
    description: "Runs that it has queued continue.",
    service: pauseReplay,
    view: bulkJobView,
  }),
  route({
    method: "POST",
    path: "/bulk-jobs/{id}/resume",
    operationId: "resumeReplay",
    summary: "Resume a paused replay",
    description: "Earlier failures don't pause it again.",
    service: resumeReplay,
    view: bulkJobView,
  }),
];
