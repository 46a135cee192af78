import { apiRoute } from "#lib/web/rest/api-route.ts";
import {
  getOneSubscription,
  patchSubscription,
  removeSubscription,
} from "#lib/web/rest/calls/subscriptions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneSubscription,
  PATCH: patchSubscription,
  DELETE: removeSubscription,
});
