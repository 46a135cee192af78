import { apiRoute } from "#lib/web/rest/api-route.ts";
import { postEventTypeImport } from "#lib/web/rest/calls/event-types.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  { POST: postEventTypeImport },
  { hint: 'No event type of the catalog can be named "import".' },
);
