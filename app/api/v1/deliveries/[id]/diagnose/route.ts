import { postDiagnose } from "#lib/web/api/diagnose.ts";
import { apiRoute } from "#lib/web/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({ POST: postDiagnose });
