import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://auth0.com/docs/customize/log-streams/custom-log-streams */
export const auth0Samples: SampleEvents = [
  { type: "s", make: (fresh) => ({ json: [login(fresh, "s")] }) },
  { type: "f", make: (fresh) => ({ json: [login(fresh, "f")] }) },
];

function login(fresh: Fresh, type: string): object {
  const id = `9002025${fresh.digits(15)}${fresh.digits(15)}`;
  return {
    log_id: id,
    data: {
      log_id: id,
      date: fresh.iso,
      type,
      connection: "Username-Password-Authentication",
      client_id: "kJ9example",
      client_name: "Shop",
      ip: "203.0.113.7",
      user_agent: "Chrome 130.0.0 / Mac OS X",
      user_id: "auth0|order1042",
      user_name: "jenny.rosen@example.com",
      tenant_name: "example",
    },
  };
}
