import { type BulkKind, bulkStatuses } from "#lib/schema/act/run-states.ts";
import {
  cancelRun,
  cancelRuns,
  getRun,
  listRuns,
  resolveStep,
  retryRun,
  retryRuns,
} from "#lib/services/runs.ts";
import { bulkJobView } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { changedRunView, runDetailsView, runView } from "./run-view.ts";

export const runRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/runs",
    operationId: "listRuns",
    summary: "List runs",
    description: "Without their attempts.",
    service: listRuns,
    view: pageView(runView),
  }),
  exportRoute({
    list: "/runs",
    operationId: "exportRuns",
    summary: "Export runs",
    service: listRuns,
    view: runView,
  }),
  route({
    method: "GET",
    path: "/runs/{id}",
    operationId: "getRun",
    summary: "Get a run",
    description: "With its attempts, at most 500.",
    service: getRun,
    view: runDetailsView,
  }),
  route({
    method: "POST",
    path: "/runs/{id}/retry",
    operationId: "retryRun",
    summary: "Run it now",
    description:
      "A run that has ended gets all attempts of its policy again, and a waiting one stops " +
      "waiting. With steps, it continues where it ended. `fromStep` is the key of a step: " +
      "that one and all after it are done again, with the same `Idempotency-Key`s.",
    service: retryRun,
    view: changedRunView,
  }),
  route({
    method: "POST",
    path: "/runs/{id}/resolve",
    operationId: "resolveStep",
    summary: "Say what happened to a call whose outcome a crash hid",
    description:
      "`as` is `repeat`, `succeeded`, or `failed`. The run continues once all its calls that wait are decided.",
    service: resolveStep,
    view: changedRunView,
    example: { step: "charge", as: "repeat" },
  }),
  route({
    method: "POST",
    path: "/runs/{id}/cancel",
    operationId: "cancelRun",
    summary: "Cancel an unfinished run",
    description: "The result of an attempt in flight changes nothing.",
    service: cancelRun,
    view: changedRunView,
  }),
  route({
    method: "POST",
    path: "/runs/retry",
    operationId: "retryRuns",
    summary: "Retry many runs",
    description:
      `In the background. The \`status\` of \`filter\` is ${statusesFor("retry")}. With \`trial\`, 5 ` +
      "runs go first, and the job pauses if any of them fails.",
    service: retryRuns,
    status: 202,
    view: bulkJobView,
    example: { filter: { status: "failed" }, trial: true },
  }),
  route({
    method: "POST",
    path: "/runs/cancel",
    operationId: "cancelRuns",
    summary: "Cancel many runs",
    description: `In the background. The \`status\` of \`filter\` is ${statusesFor("cancel")}.`,
    service: cancelRuns,
    status: 202,
    view: bulkJobView,
    example: { filter: { status: "queued" } },
  }),
];

function statusesFor(kind: BulkKind): string {
  const statuses = bulkStatuses[kind].map((status) => `\`${status}\``);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(statuses);
}
