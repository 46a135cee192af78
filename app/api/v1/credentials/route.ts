import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getCredentials, postCredential } from "#lib/web/rest/calls/receivers/credentials.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getCredentials,
  POST: postCredential,
});
