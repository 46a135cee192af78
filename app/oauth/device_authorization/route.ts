import { serveDeviceAuthorization } from "#lib/web/oauth/serve-oauth.ts";

export {
  serveDeviceAuthorization as DELETE,
  serveDeviceAuthorization as GET,
  serveDeviceAuthorization as HEAD,
  serveDeviceAuthorization as OPTIONS,
  serveDeviceAuthorization as PATCH,
  serveDeviceAuthorization as POST,
  serveDeviceAuthorization as PUT,
};
