import { serveMetadata } from "#lib/web/oauth/serve-oauth.ts";

export {
  serveMetadata as DELETE,
  serveMetadata as GET,
  serveMetadata as HEAD,
  serveMetadata as OPTIONS,
  serveMetadata as PATCH,
  serveMetadata as POST,
  serveMetadata as PUT,
};
