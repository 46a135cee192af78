import {
  authorizationCodeSchema,
  clientTokenDays,
  codeVerifierSchema,
  isOwnResource,
} from "#lib/schema/account/client-sign-in.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import { claimClientToken } from "#lib/services/sign-in/client-sign-in.ts";
import { missing, oauthError, oauthJson } from "./oauth-response.ts";
import type { OAuthForm } from "./read-form.ts";

/** Gives a program the token of the code that the person's browser brought it (OAuth 2.1 §4.1.3). */
export async function exchangeCode(
  parts: Parameters<typeof claimClientToken>[0],
  form: OAuthForm & { readonly clientId: string },
  { env }: Pick<ServerContext, "env">,
): Promise<Response> {
  const { code, redirect_uri: redirectUri, code_verifier: codeVerifier, resource } = form;
  if (code === undefined) return missing("code");
  if (redirectUri === undefined) return missing("redirect_uri");
  if (codeVerifier === undefined) return missing("code_verifier");
  if (resource !== undefined && !isOwnResource(resource, env.publicUrl))
    return oauthError("invalid_target", "The only resource here is /mcp.");
  const isCode = authorizationCodeSchema.safeParse(code).success;
  if (!isCode || !codeVerifierSchema.safeParse(codeVerifier).success) return unknownCode();
  const presented = { code, codeVerifier, redirectUri, clientId: form.clientId };
  const claimed = await claimClientToken(parts, presented);
  if (claimed === null) return unknownCode();
  return oauthJson({
    access_token: claimed.token,
    token_type: "Bearer",
    expires_in: clientTokenDays * 86_400,
    scope: claimed.scopes.join(" "),
    account: claimed.account,
  });
}

function unknownCode(): Response {
  const why = "is unknown, expired, used, or belongs to another client, redirect_uri, or verifier";
  return oauthError("invalid_grant", `This code ${why}. Begin a new sign-in.`);
}
