import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postDiagnose } from "#lib/web/rest/calls/diagnose.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postDiagnose });
