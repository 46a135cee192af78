import { apiRoute } from "#lib/web/rest/api-route.ts";
import {
  getPortalLinks,
  postPortalLink,
  removePortalLinks,
} from "#lib/web/rest/calls/recipients.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getPortalLinks,
  POST: postPortalLink,
  DELETE: removePortalLinks,
});
