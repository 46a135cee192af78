import type { Env } from "#lib/env.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import { createHttpClient, type HttpClient } from "#lib/net/http-client.ts";

/**
 * The guarded client of test calls, with the worker's rules. One per web process, stored on
 * `globalThis` because Next bundles this module more than once.
 */
export function testClient(env: Env): HttpClient {
  shared.catchmentTestClient ??= createHttpClient({
    allow: env.egressAllow,
    ownOrigins: [env.publicUrl],
    ownPorts: [env.port],
    maxSocketsPerOrigin: 16,
  });
  return shared.catchmentTestClient;
}

/** Test calls with saved credentials. */
export function testCredentialCalls(env: Env): CredentialCalls {
  shared.catchmentTestCredentials ??= new CredentialCalls(testClient(env));
  return shared.catchmentTestCredentials;
}

const shared = globalThis as typeof globalThis & {
  catchmentTestClient?: HttpClient;
  catchmentTestCredentials?: CredentialCalls;
};
