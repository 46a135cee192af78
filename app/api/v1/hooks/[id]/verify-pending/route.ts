import { postVerifyPending } from "#lib/web/api/hooks.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postVerifyPending });
