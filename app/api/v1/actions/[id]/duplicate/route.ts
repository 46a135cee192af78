import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postDuplicate } from "#lib/web/rest/calls/action/transfer.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postDuplicate });
