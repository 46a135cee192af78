import { apiRoute } from "#lib/web/rest/api-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  {},
  { elsewhere: ["POST"] },
);
