import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postResend } from "#lib/web/rest/calls/events.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postResend });
