import { eventLimits, publishedBatchSchema, publishedEventSchema } from "#lib/schema/send/event.ts";
import { getEvent, listEvents } from "#lib/services/events/read-events.ts";
import { resendEvent } from "#lib/services/events/resend-event.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { listenerRoute, type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { queuedRunsView } from "#lib/web/runs/run-view.ts";
import { eventView, published, wholeEventView } from "./event-view.ts";

const example = { type: "invoice.paid", recipient: "cust_42", data: { object: { id: "in_1001" } } };

export const eventRoutes: readonly Route[] = [
  listenerRoute({
    method: "POST",
    path: "/events",
    operationId: "publishEvent",
    errors: ["schema_mismatch"],
    summary: "Publish an event",
    description:
      "`runs` is the number of sends. The same `id` with the same content: 200 with " +
      "`duplicate: true`, and nothing is sent. With other content: 409.",
    scope: "events:write",
    input: publishedEventSchema,
    status: 202,
    repeatedStatus: 200,
    response: published.event,
    maxBodyBytes: eventLimits.bytes,
    example,
  }),
  listenerRoute({
    method: "POST",
    path: "/events/batch",
    operationId: "publishEvents",
    errors: ["schema_mismatch"],
    summary: "Publish 1 to 1,000 events",
    description: "Returns a result for each. Invalid input anywhere: 400, and nothing is stored.",
    scope: "events:write",
    input: publishedBatchSchema,
    status: 202,
    response: published.batch,
    maxBodyBytes: eventLimits.batchBytes,
    example: { events: [example] },
  }),
  route({
    method: "GET",
    path: "/events",
    operationId: "listEvents",
    summary: "List events",
    description: "Without bodies and sends.",
    service: listEvents,
    view: pageView(eventView),
  }),
  exportRoute({
    list: "/events",
    operationId: "exportEvents",
    summary: "Export events",
    service: listEvents,
    view: eventView,
  }),
  route({
    method: "GET",
    path: "/events/{id}",
    operationId: "getEvent",
    summary: "Get an event",
    service: getEvent,
    view: wholeEventView,
  }),
  route({
    method: "POST",
    path: "/events/{id}/resend",
    operationId: "resendEvent",
    summary: "Send an event again",
    description:
      "Default: to all active subscriptions that match it now. `onlyFailed`: to those whose newest send of it failed.",
    service: resendEvent,
    status: 202,
    view: queuedRunsView,
    example: { onlyFailed: true },
  }),
];
