import { serveRegistration } from "#lib/web/oauth/serve-registration.ts";

export {
  serveRegistration as DELETE,
  serveRegistration as GET,
  serveRegistration as HEAD,
  serveRegistration as OPTIONS,
  serveRegistration as PATCH,
  serveRegistration as POST,
  serveRegistration as PUT,
};
