import { serveRevocation } from "#lib/web/oauth/serve-oauth.ts";

export {
  serveRevocation as DELETE,
  serveRevocation as GET,
  serveRevocation as HEAD,
  serveRevocation as OPTIONS,
  serveRevocation as PATCH,
  serveRevocation as POST,
  serveRevocation as PUT,
};
