import { getDeliveries } from "#lib/web/api/deliveries.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: getDeliveries });
