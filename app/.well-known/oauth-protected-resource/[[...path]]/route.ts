import { serveProtectedResource } from "#lib/web/oauth/protected-resource.ts";

export {
  serveProtectedResource as DELETE,
  serveProtectedResource as GET,
  serveProtectedResource as HEAD,
  serveProtectedResource as OPTIONS,
  serveProtectedResource as PATCH,
  serveProtectedResource as POST,
  serveProtectedResource as PUT,
};
