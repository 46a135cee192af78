import { expect, test } from "vitest";
import type { OidcEnv } from "#lib/core/env/oidc-settings.ts";
import { serveHttp } from "../testing/test-servers.ts";
import { checkIssuer } from "./check-issuer.ts";

type Served = { readonly document?: object; readonly keys?: unknown; readonly status?: number };

/** The finding of a check at an issuer that serves these. */
async function checkServed({ document = {}, keys = [{ kty: "RSA" }], status = 200 }: Served) {
  let origin = "";
  await using server = await serveHttp((request, response) => {
    response.statusCode = status;
    const endpoints = {
      issuer: origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
    };
    const isKeys = request.url === "/keys";
    response.end(JSON.stringify(isKeys ? { keys } : { ...endpoints, ...document }));
  });
  origin = `http://127.0.0.1:${server.port}`;
  const { ok, message } = await checkIssuer(settingsOf(`${origin}/`));
  return [ok, message.replaceAll(origin, "")] as const;
}

function settingsOf(issuer: string) {
  return {
    issuer,
    idTokenAlgorithm: "RS256",
    tokenAuthMethod: "client_secret_basic",
  } as OidcEnv;
}

test.each<[string, Served, boolean, RegExp]>([
  ["that works", {}, true, /^\/ answers, and publishes 1 key\.$/],
  ["without keys", { keys: [] }, false, /publishes no keys/],
  ["that is down", { status: 503 }, false, /openid-configuration responds with 503/],
  ["without a place for its keys", { document: { jwks_uri: 7 } }, false, /no valid jwks_uri/],
  [
    "with another algorithm",
    { document: { id_token_signing_alg_values_supported: ["ES256"] } },
    false,
    /with ES256, not with RS256\. Correct CATCHMENT_OIDC_ID_TOKEN_ALGORITHM\.$/,
  ],
  [
    "with another way to authenticate",
    { document: { token_endpoint_auth_methods_supported: ["client_secret_post"] } },
    false,
    /not client_secret_basic\. Correct CATCHMENT_OIDC_TOKEN_AUTH_METHOD\.$/,
  ],
])("an issuer %s", async (_, served, isOk, message) => {
  expect(await checkServed(served)).toEqual([isOk, expect.stringMatching(message)]);
});

test("an issuer that nothing listens at", async () => {
  await using server = await serveHttp(() => {});
  const issuer = `http://127.0.0.1:${server.port}`;
  await server[Symbol.asyncDispose]();
  const found = await checkIssuer(settingsOf(issuer));
  expect(found).toMatchObject({ ok: false, message: expect.stringContaining("can't be reached") });
});
