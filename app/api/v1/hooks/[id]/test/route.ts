import { postTestDelivery } from "#lib/web/api/test-delivery.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postTestDelivery });
