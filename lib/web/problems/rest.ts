import {
  acknowledgeProblem,
  getProblem,
  listProblemAlerts,
  listProblems,
  resolveProblem,
  updateProblem,
} from "#lib/services/problems.ts";
import { alertsView } from "#lib/web/alerts/alert-views.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { problemView } from "./problem-view.ts";

export const problemRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/problems",
    operationId: "listProblems",
    summary: "List problems",
    description:
      "Newest first. `?state=` is `open`, `acknowledged`, `resolved`, or `unresolved`. `?kind=`, `?hookId=`, " +
      "`?actionId=`, and `?subscriptionId=` limit it further.",
    service: listProblems,
    view: pageView(problemView),
  }),
  route({
    method: "GET",
    path: "/problems/{id}",
    operationId: "getProblem",
    summary: "Get a problem",
    service: getProblem,
    view: problemView,
  }),
  route({
    method: "PATCH",
    path: "/problems/{id}",
    operationId: "updateProblem",
    summary: "Assign a problem, or comment on it",
    description: "Changes the given fields. Null: no one takes care of it, or there is no comment.",
    service: updateProblem,
    view: problemView,
    example: { comment: "The CRM looks into it. Ticket 4711." },
  }),
  route({
    method: "GET",
    path: "/problems/{id}/alerts",
    operationId: "listProblemAlerts",
    summary: "List the messages about a problem",
    description: "Oldest first, with each attempt.",
    service: listProblemAlerts,
    view: alertsView,
  }),
  route({
    method: "POST",
    path: "/problems/{id}/acknowledge",
    operationId: "acknowledgeProblem",
    summary: "Acknowledge a problem",
    description: "Stops reminders. It is still resolved when it is over.",
    service: acknowledgeProblem,
    view: problemView,
  }),
  route({
    method: "POST",
    path: "/problems/{id}/resolve",
    operationId: "resolveProblem",
    summary: "Resolve a problem",
    description: "If it happens again, another one opens.",
    service: resolveProblem,
    view: problemView,
  }),
];
