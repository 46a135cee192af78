import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getOneDelivery, removeDelivery } from "#lib/web/rest/calls/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneDelivery,
  DELETE: removeDelivery,
});
