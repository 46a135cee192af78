import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getEvents } from "#lib/web/rest/calls/events.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  { GET: getEvents },
  { elsewhere: ["POST"] },
);
