import type { Env } from "#lib/core/env/parse-env.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import { createHttpClient, type HttpClient } from "#lib/net/http-client.ts";

/**
 * The guarded client of test calls, with the worker's rules. One per web process, stored on
 * `globalThis` because Next bundles this module more than once.
 */
export function testClient(env: Env): HttpClient {
  shared.catchmentTestClient ??= createGuardedClient(env, env.egressAllow);
  return shared.catchmentTestClient;
}

/**
 * The guarded client for receivers that were entered in the portal, which may be in other networks.
 */
export function portalTestClient(env: Env): HttpClient {
  shared.catchmentPortalClient ??= createGuardedClient(env, env.portalEgressAllow);
  return shared.catchmentPortalClient;
}

function createGuardedClient({ publicUrl, port }: Env, allow: AllowList): HttpClient {
  const own = { ownOrigins: [publicUrl], ownPorts: [port] };
  return createHttpClient({ allow, ...own, maxSocketsPerOrigin: 16 });
}

/** Makes test calls with saved credentials. */
export function testCredentialCalls(env: Env): CredentialCalls {
  shared.catchmentTestCredentials ??= new CredentialCalls(testClient(env));
  return shared.catchmentTestCredentials;
}

const shared = globalThis as typeof globalThis & {
  catchmentTestClient?: HttpClient;
  catchmentPortalClient?: HttpClient;
  catchmentTestCredentials?: CredentialCalls;
};
