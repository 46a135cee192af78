import { cookies, headers } from "next/headers";
import type { Profile, TokenSet, User } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { OidcEnv } from "#lib/core/env/oidc-settings.ts";
import { type Claims, mergeClaims } from "#lib/core/people/sign-in/claims.ts";
import { sessionCookie } from "#lib/core/people/sign-in/session-cookie.ts";
import type { RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { signInWithOidc } from "#lib/services/sign-in/sign-in-with-oidc.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { readBrowser } from "./device-token.ts";
import { readSessionKeyOf } from "./session-token.ts";

/** The name of the provider, and a part of the redirect URI that is registered with the issuer. */
export const oidcProviderId = "oidc";

/**
 * The operator's identity provider. next-auth makes and checks PKCE, state, and nonce, and verifies
 * the ID token. The operator chose the issuer, so the rules for addresses that users choose don't
 * apply to its requests.
 */
export function oidcProvider(oidc: OidcEnv): OAuthConfig<Claims> {
  return {
    id: oidcProviderId,
    name: oidc.name,
    type: "oauth",
    wellKnown: `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    ...(oidc.clientSecret !== undefined && { clientSecret: oidc.clientSecret }),
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    authorization: { params: { scope: oidc.scope } },
    client: {
      token_endpoint_auth_method: oidc.tokenAuthMethod,
      id_token_signed_response_alg: oidc.idTokenAlgorithm,
    },
    httpOptions: { timeout: 10_000 },
    userinfo: {
      request: async ({ client, tokens }) => {
        const claims = readClaims(tokens);
        const { access_token: token } = tokens;
        const isServed = client.issuer.metadata.userinfo_endpoint !== undefined;
        if (!isServed || token === undefined) return claims;
        const info = await client.userinfo(token);
        // OpenID Connect Core §5.3.2.
        if (info.sub !== claims.sub) throw new Error("The user info is about another subject");
        return mergeClaims({ ...claims }, { ...info });
      },
    },
    // Replaced by the user that the service finds.
    profile: ({ sub }) => ({ id: String(sub), sessionId: "" }),
  };
}

/** next-auth declares the type of the parameters of a token set, and passes the set itself. */
function readClaims(tokens: TokenSet): Profile {
  if ("claims" in tokens && typeof tokens.claims === "function") return tokens.claims();
  throw new Error("The issuer sent no ID token");
}

/**
 * Signs in the person of these claims, and puts their session into `user`. Returns true, or the page
 * that says why not. Never throws: next-auth would put the message into a URL.
 */
export async function acceptOidcSignIn(user: User, claims: Claims): Promise<true | string> {
  const reason = await signInHere(user, claims).catch((error: unknown) => {
    log.error("sign_in.failed", { error: toError(error) });
    return "unavailable" as const;
  });
  return reason === null || `${serverContext().env.publicUrl}/sign-in?error=${reason}`;
}

/** Null: they are signed in. */
async function signInHere(user: User, claims: Claims): Promise<RejectionReason | null> {
  const context = serverContext();
  const { isHttps, sessionSecret } = context;
  const cookie = (await cookies()).get(sessionCookie(isHttps).name)?.value;
  const replaced = await readSessionKeyOf(cookie, sessionSecret);
  const request = readRequestOrigin(await headers());
  const { userAgent, address } = await readBrowser();
  const client = { userAgent, address };
  const signedIn = await signInWithOidc({ ...context, request }, claims, client, replaced);
  if (!signedIn.ok) return signedIn.reason;
  user.id = signedIn.userId;
  user.sessionId = signedIn.sessionId;
  return null;
}
