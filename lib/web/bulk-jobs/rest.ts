import {
  cancelBulkJob,
  getBulkJob,
  listBulkJobs,
  pauseBulkJob,
  resumeBulkJob,
} from "#lib/services/bulk-jobs.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { bulkJobView } from "./bulk-job-view.ts";

export const bulkJobRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/bulk-jobs",
    operationId: "listBulkJobs",
    summary: "List bulk jobs",
    description:
      "Finished ones are deleted after 30 days, and replays of sent requests with the last of their runs.",
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
    operationId: "pauseBulkJob",
    summary: "Pause a bulk job",
    description: "Runs that it has queued continue. One that cancels runs can't be paused.",
    service: pauseBulkJob,
    view: bulkJobView,
  }),
  route({
    method: "POST",
    path: "/bulk-jobs/{id}/resume",
    operationId: "resumeBulkJob",
    summary: "Resume a paused bulk job",
    description: "Earlier failures don't pause it again, and a trial that failed is over.",
    service: resumeBulkJob,
    view: bulkJobView,
  }),
];
