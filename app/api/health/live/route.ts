import { serveLiveness } from "#lib/web/api/serve-health.ts";

export {
  serveLiveness as DELETE,
  serveLiveness as GET,
  serveLiveness as HEAD,
  serveLiveness as OPTIONS,
  serveLiveness as PATCH,
  serveLiveness as POST,
  serveLiveness as PUT,
};
