import { oncePerProcess } from "#lib/base/once.ts";
import { toProxyRoute } from "#lib/core/env/egress-proxy.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import { createHttpClient, type HttpClient } from "#lib/net/http-client.ts";

/** The guarded client of test calls, with the worker's rules. */
export const testClient = oncePerProcess("catchmentTestClient", (env: Env) =>
  createGuardedClient(env, env.egressAllow),
);

/**
 * The guarded client for receivers that were entered in the portal, which may be in other networks.
 */
export const portalTestClient = oncePerProcess("catchmentPortalClient", (env: Env) =>
  createGuardedClient(env, env.portalEgressAllow),
);

function createGuardedClient(env: Env, allow: AllowList): HttpClient {
  const own = { ownOrigins: [env.publicUrl], ownPorts: [env.port], proxy: toProxyRoute(env) };
  return createHttpClient({ allow, ...own, maxSocketsPerOrigin: 16 });
}

/** Makes test calls with saved credentials. */
export const testCredentialCalls = oncePerProcess(
  "catchmentTestCredentials",
  (env: Env) => new CredentialCalls(testClient(env)),
);
