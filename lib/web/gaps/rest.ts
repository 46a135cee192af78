import { cancelGap, findGap, getGap, listGaps, takeInGap } from "#lib/services/gaps.ts";
import { bulkJobView } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { gapView, wholeGapView } from "./gap-view.ts";

export const gapRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/hooks/{id}/gaps",
    operationId: "findGap",
    summary: "Search for events that never arrived",
    description:
      "Asks the provider's own API in the background, and compares. Nothing is taken in.",
    service: findGap,
    status: 202,
    view: wholeGapView,
    example: { from: "2026-11-23T00:00:00Z", credentialId: "0199c0de-0000-7000-8000-000000000000" },
  }),
  route({
    method: "GET",
    path: "/hooks/{id}/gaps",
    operationId: "listGaps",
    summary: "List the searches of a hook",
    service: listGaps,
    view: pageView(gapView),
  }),
  route({
    method: "GET",
    path: "/hooks/{id}/gaps/{gapId}",
    operationId: "getGap",
    summary: "Get a search, with what is missing by event type",
    service: getGap,
    view: wholeGapView,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/gaps/{gapId}/cancel",
    operationId: "cancelGap",
    summary: "Cancel a search",
    description: "What it has found stays. Rejected with 409 if it has ended.",
    service: cancelGap,
    view: wholeGapView,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/gaps/{gapId}/take-in",
    operationId: "takeInGap",
    summary: "Take in what is missing",
    description: "Stores the missing events as deliveries, in a bulk job of kind `take_in`.",
    service: takeInGap,
    status: 202,
    view: bulkJobView,
    example: { run: true, ratePerMinute: 600 },
  }),
];
