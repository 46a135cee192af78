import { apiRoute } from "#lib/web/rest/api-route.ts";
import {
  getOneCredential,
  patchCredential,
  removeCredential,
} from "#lib/web/rest/calls/receivers/credentials.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getOneCredential,
  PATCH: patchCredential,
  DELETE: removeCredential,
});
