import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getRecipients } from "#lib/web/rest/calls/recipients.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ GET: getRecipients });
