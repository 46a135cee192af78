import { z } from "zod";
import { gapEvery, gapTakeIn } from "#lib/schema/receive/gap.ts";
import {
  getGapSchedule,
  putGapSchedule,
  type ShownSchedule,
} from "#lib/services/gaps/gap-schedules.ts";
import { cancelGap, findGap, getGap, listGaps, takeInGap } from "#lib/services/gaps/gaps.ts";
import { bulkJobView } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, view } from "#lib/web/route/view.ts";
import { gapView, wholeGapView } from "./gap-view.ts";

const scheduleView = view(
  z
    .object({
      every: gapEvery,
      takeIn: gapTakeIn,
      credentialId: z.string().nullable().describe("Null: it was deleted since, or it is off"),
      webhook: z.string().nullable().describe("The same as for a search"),
      searchedUntil: z.date().nullable().describe("Up to here everything was searched by itself"),
      nextAt: z.date().nullable().describe("When it searches next. Null: it is off"),
      savedBy: z.string().nullable(),
    })
    .meta({ id: "GapSchedule" }),
  (schedule: ShownSchedule) => schedule,
);

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
  route({
    method: "GET",
    path: "/hooks/{id}/gap-schedule",
    operationId: "getGapSchedule",
    summary: "Get how often a hook is searched by itself",
    service: getGapSchedule,
    view: scheduleView,
  }),
  route({
    method: "PUT",
    path: "/hooks/{id}/gap-schedule",
    operationId: "putGapSchedule",
    summary: "Search by itself for events that never arrived",
    description: "Every hour or day, from now on. `off` ends it.",
    service: putGapSchedule,
    view: scheduleView,
    example: {
      every: "hour",
      takeIn: "none",
      credentialId: "0199c0de-0000-7000-8000-000000000000",
    },
  }),
];
