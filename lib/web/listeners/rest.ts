import type { z } from "zod";
import {
  acknowledge,
  deleteListener,
  disconnect,
  handOver,
} from "#lib/services/listeners/change-listener.ts";
import { openListener } from "#lib/services/listeners/open-listener.ts";
import { openPoll, openStream } from "#lib/services/listeners/read-frames.ts";
import {
  getListener,
  listListeners,
  listResponses,
} from "#lib/services/listeners/read-listeners.ts";
import { openRoute, type Route, route, type ServedRoute } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import {
  acknowledgedView,
  frameSchema,
  framesSchema,
  handedOverView,
  listenerView,
  openedListenerView,
} from "./listener-view.ts";
import { pollFrames } from "./poll-frames.ts";
import { responsesView } from "./response-view.ts";
import { listenerWakes, streamFrames } from "./stream-frames.ts";

export const listenerRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/listeners",
    operationId: "openListener",
    summary: "Connect a program that hears deliveries",
    description:
      "Yours with this `name` continues where it was, on any machine. 409 says who is connected as it.",
    service: openListener,
    status: 201,
    view: openedListenerView,
    example: { name: "laptop", host: "ada.local", hookIds: [], from: "now" },
  }),
  route({
    method: "GET",
    path: "/listeners",
    operationId: "listListeners",
    summary: "List listeners",
    description: "Newest first. With `?hookId=`: those that hear this hook.",
    service: listListeners,
    view: pageView(listenerView),
  }),
  route({
    method: "GET",
    path: "/listeners/{id}",
    operationId: "getListener",
    summary: "Get a listener",
    service: getListener,
    view: listenerView,
  }),
  route({
    method: "DELETE",
    path: "/listeners/{id}",
    operationId: "deleteListener",
    summary: "Delete a listener",
    description: "Its connections end. Admins may delete anyone's.",
    service: deleteListener,
    view: null,
  }),
  openRoute({
    method: "GET",
    path: "/listeners/{id}/stream",
    operationId: "streamDeliveries",
    summary: "Hear deliveries as server-sent events",
    description:
      "`delivery` has a Frame, `status` has `{lag, caughtUp, headCursor}`, and `goodbye` says why " +
      "it ends: `{reason, retryAfter}`.",
    service: openStream,
    opens: "text/event-stream",
    response: frameSchema,
    open: streamFrames,
    example: { connection: "0199f3a0-0000-4000-8000-000000000000" },
  }),
  openRoute({
    method: "GET",
    path: "/listeners/{id}/deliveries",
    operationId: "pollDeliveries",
    summary: "Hear deliveries by asking for them",
    description: "Waits up to `wait` seconds (≤ 25) for some. `cursor` is the last one you have.",
    service: openPoll,
    opens: "application/json",
    response: framesSchema,
    open: pollFrames,
    example: { connection: "0199f3a0-0000-4000-8000-000000000000" },
  }),
  wakingStreams({
    method: "POST",
    path: "/listeners/{id}/acks",
    operationId: "acknowledgeDeliveries",
    summary: "Say what you are done with, and that you are there",
    description: "At least every 15 s. `acks` may be empty.",
    service: acknowledge,
    isRepeatable: true,
    view: acknowledgedView,
    example: { connection: "0199f3a0-0000-4000-8000-000000000000", acks: [] },
  }),
  route({
    method: "POST",
    path: "/listeners/{id}/deliveries",
    operationId: "handOverDeliveries",
    summary: "Hear deliveries again",
    description: "After those that wait. Accepted deliveries and duplicates.",
    service: handOver,
    status: 202,
    view: handedOverView,
    example: { deliveryIds: ["0199f3a0-0000-7000-8000-000000000000"] },
  }),
  route({
    method: "GET",
    path: "/deliveries/{id}/responses",
    operationId: "listResponses",
    summary: "List what listeners responded to a delivery",
    description: "The latest response through each listener of the last 7 days, newest first.",
    service: listResponses,
    view: responsesView,
  }),
  route({
    method: "DELETE",
    path: "/listeners/{id}/connections/{connectionId}",
    operationId: "disconnectListener",
    summary: "Disconnect a program",
    description:
      "Another one can connect at once, and gets what this one hasn't acknowledged. Admins may " +
      "disconnect anyone's.",
    service: disconnect,
    view: null,
  }),
];

/** Afterwards, streams of the listener may have room for more. */
function wakingStreams<Schema extends z.ZodType, Value>(
  ...[options]: Parameters<typeof route<Schema, Value>>
): ServedRoute {
  const served = route(options);
  return {
    ...served,
    handle: async (context, input, call) => {
      const value = await served.handle(context, input, call);
      listenerWakes().wake((input as { readonly id: string }).id);
      return value;
    },
  };
}
