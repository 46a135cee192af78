import { z } from "zod";
import type { OidcEnv } from "#lib/core/env/oidc-settings.ts";

const names = z.array(z.string()).optional();

/** The parts of an issuer's discovery document (OpenID Connect Discovery §3) that a sign-in needs. */
const discoverySchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: names,
  token_endpoint_auth_methods_supported: names,
});

const keysSchema = z.looseObject({ keys: z.array(z.unknown()).min(1) });

type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  /** `message` says what is wrong, and then what to change. */
  | { readonly ok: false; readonly message: string };

/** The address of the issuer's keys, if a sign-in with these settings can work. */
export function readDiscovery(
  json: unknown,
  { idTokenAlgorithm, tokenAuthMethod }: Pick<OidcEnv, "idTokenAlgorithm" | "tokenAuthMethod">,
): Read<{ readonly keysUrl: string }> {
  const read = discoverySchema.safeParse(json);
  if (!read.success) {
    const field = read.error.issues[0]?.path.join(".") ?? "";
    const what = field === "" ? "isn't a discovery document" : `has no valid ${field}`;
    return reject(`Its discovery document ${what}. Correct CATCHMENT_OIDC_ISSUER.`);
  }
  const {
    jwks_uri: keysUrl,
    id_token_signing_alg_values_supported: algorithms = [idTokenAlgorithm],
    token_endpoint_auth_methods_supported: methods = [tokenAuthMethod],
  } = read.data;
  if (!algorithms.includes(idTokenAlgorithm))
    return reject(
      `It signs ID tokens with ${algorithms.join(", ")}, not with ${idTokenAlgorithm}. ` +
        "Correct CATCHMENT_OIDC_ID_TOKEN_ALGORITHM.",
    );
  if (!methods.includes(tokenAuthMethod))
    return reject(
      `Its token endpoint takes ${methods.join(", ")}, not ${tokenAuthMethod}. ` +
        "Correct CATCHMENT_OIDC_TOKEN_AUTH_METHOD.",
    );
  return { ok: true, value: { keysUrl } };
}

/** The number of keys with which the issuer signs. */
export function countKeys(json: unknown): Read<number> {
  const read = keysSchema.safeParse(json);
  if (read.success) return { ok: true, value: read.data.keys.length };
  return reject("It publishes no keys. Set it up there to sign ID tokens.");
}

function reject(message: string) {
  return { ok: false, message } as const;
}
