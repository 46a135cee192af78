import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postTestDelivery } from "#lib/web/rest/calls/test-delivery.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  POST: postTestDelivery,
});
