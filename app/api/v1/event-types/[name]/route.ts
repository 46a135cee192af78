import { apiRoute } from "#lib/web/rest/api-route.ts";
import {
  getOneEventType,
  putOneEventType,
  removeEventType,
} from "#lib/web/rest/calls/event-types.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneEventType,
  PUT: putOneEventType,
  DELETE: removeEventType,
});
