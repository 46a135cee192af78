import { listFailures, muteFailures, unmuteFailures } from "#lib/services/failures.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { failuresView } from "./failure-view.ts";

const example = { actionId: "01a2b3c4-d5e6-7000-8000-000000000000", reason: "mapping_failed" };

export const failureRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/failures",
    operationId: "listFailures",
    summary: "Group failed runs",
    description:
      "By action or subscription and reason, for the last 7 days or between `from` and `to`: at most 100 groups, " +
      "those with most runs first, muted ones last.",
    service: listFailures,
    view: failuresView,
  }),
  route({
    method: "POST",
    path: "/failures/mute",
    operationId: "muteFailures",
    summary: "Mute a group of failures",
    description:
      "Until it is unmuted, or the action or subscription changes. Its runs stay as they are.",
    service: muteFailures,
    view: null,
    example,
  }),
  route({
    method: "POST",
    path: "/failures/unmute",
    operationId: "unmuteFailures",
    summary: "Unmute a group of failures",
    service: unmuteFailures,
    view: null,
    example,
  }),
];
