import { serveToken } from "#lib/web/oauth/serve-oauth.ts";

export {
  serveToken as DELETE,
  serveToken as GET,
  serveToken as HEAD,
  serveToken as OPTIONS,
  serveToken as PATCH,
  serveToken as POST,
  serveToken as PUT,
};
