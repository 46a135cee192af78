import type { z } from "zod";
import { authorizationCodeGrant } from "#lib/schema/account/client-sign-in.ts";
import {
  cliClientId,
  deviceCodeGrant,
  deviceCodeSchema,
  deviceSignInSeconds,
  deviceTokenDays,
  hostNameSchema,
  oauthScopeSchema,
  pollSeconds,
  writeUserCode,
} from "#lib/schema/account/device-sign-in.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { type ServerContext, serverContext } from "#lib/services/frame/server-context.ts";
import {
  claimDeviceToken,
  revokeHeldToken,
  startDeviceSignIn,
} from "#lib/services/sign-in/device-sign-in.ts";
import { readClientKey, readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { exchangeCode } from "./exchange-code.ts";
import {
  missing,
  oauthError,
  oauthFailure,
  oauthJson,
  respondToOtherMethod,
} from "./oauth-response.ts";
import { type OAuthForm, readForm } from "./read-form.ts";

/** Says where the endpoints are (RFC 8414). It is the same for everyone. */
export function serveMetadata(request: Request): Response {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead) return respondToOtherMethod(request, "GET, HEAD, OPTIONS");
  const { publicUrl } = serverContext().env;
  return oauthJson({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
    token_endpoint: `${publicUrl}/oauth/token`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    client_id_metadata_document_supported: true,
    grant_types_supported: [authorizationCodeGrant, deviceCodeGrant],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: apiScopes,
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    service_documentation: `${publicUrl}/docs/api#sign-in-from-tools`,
  });
}

/** Gives a tool the codes of a new sign-in (RFC 8628 §3.1). */
export const serveDeviceAuthorization = endpoint(async (form, request, context) => {
  if (form.client_id !== cliClientId) return otherClient();
  const scopes = oauthScopeSchema.safeParse(form.scope);
  if (!scopes.success)
    return oauthError(
      "invalid_scope",
      `Choose from: ${apiScopes.join(", ")}. Separate with spaces.`,
    );
  const host = hostNameSchema.optional().safeParse(form.host_name);
  if (!host.success)
    return oauthError(
      "invalid_request",
      "host_name must have 1 to 64 letters, digits, dots, hyphens, or underscores.",
    );
  const asked = {
    host: host.data ?? null,
    scopes: scopes.data,
    address: readRequestOrigin(request.headers).ip,
    client: readClientKey(request.headers),
  };
  const started = await startDeviceSignIn(context, asked);
  if (typeof started === "string") return respondBusy(started === "ofClient");
  const userCode = writeUserCode(started.userCode);
  const page = `${context.env.publicUrl}/device`;
  return oauthJson({
    device_code: started.deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: deviceSignInSeconds,
    interval: pollSeconds,
  });
});

/** Gives a program its token once a person has allowed it. */
export const serveToken = endpoint(async (form, request, context) => {
  const { grant_type: grant, client_id: clientId } = form;
  if (grant === undefined) return missing("grant_type");
  if (clientId === undefined) return missing("client_id");
  if (grant === authorizationCodeGrant)
    return await exchangeCode(auditParts(context, request), { ...form, clientId }, context);
  if (grant === deviceCodeGrant) return await pollDevice(form, request, context);
  const grants = `${authorizationCodeGrant} or ${deviceCodeGrant}`;
  return oauthError("unsupported_grant_type", `grant_type must be ${grants}.`);
});

/** Gives a tool its token by its device code (RFC 8628 §3.4). */
const pollDevice: Work = async (form, request, context) => {
  if (form.client_id !== cliClientId) return otherClient();
  if (form.device_code === undefined) return missing("device_code");
  const code: z.ZodSafeParseResult<string> = deviceCodeSchema.safeParse(form.device_code);
  if (!code.success) return unknownCode();
  const claimed = await claimDeviceToken(auditParts(context, request), code.data);
  switch (claimed.state) {
    case "claimed":
      return oauthJson({
        access_token: claimed.token,
        token_type: "Bearer",
        expires_in: deviceTokenDays * 86_400,
        scope: claimed.scopes.join(" "),
        account: claimed.account,
      });
    case "waiting":
      return oauthError("authorization_pending", "No one has allowed it yet. Ask again later.");
    case "too_soon":
      return oauthError(
        "slow_down",
        `Wait ${claimed.intervalSeconds} seconds before each request from now on.`,
        { fields: { interval: claimed.intervalSeconds } },
      );
    case "denied":
      return oauthError("access_denied", "It was denied, or the person has left the account.");
    case "expired":
      return oauthError("expired_token", "No one allowed it in time. Begin a new sign-in.");
    case "unknown":
      return unknownCode();
    default:
      return claimed satisfies never;
  }
};

/** Revokes a token for the tool that got it (RFC 7009). Unknown and ended tokens are revoked already. */
export const serveRevocation = endpoint(async (form, request, context) => {
  const { token, client_id: clientId } = form;
  if (clientId === undefined) return missing("client_id");
  if (token === undefined) return missing("token");
  const parts = auditParts(context, request);
  const isRevoked = token.length > 512 || (await revokeHeldToken(parts, clientId, token));
  if (isRevoked) return new Response(null, { headers: { "cache-control": "no-store" } });
  return oauthError(
    "invalid_grant",
    "This token was not issued by a sign-in of this client. Revoke it under Account, API tokens.",
  );
});

type Work = (form: OAuthForm, request: Request, context: ServerContext) => Promise<Response>;

/** An endpoint that takes a form, and has a response whatever goes wrong. */
function endpoint(work: Work): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "POST") return respondToOtherMethod(request, "POST, OPTIONS");
    try {
      const read = await readForm(request);
      if (!read.ok) return read.response;
      return await work(read.form, request, serverContext());
    } catch (error) {
      return oauthFailure(error, request);
    }
  };
}

function auditParts({ db, sealer }: ServerContext, { headers }: Request) {
  return { db, sealer, request: readRequestOrigin(headers), now: () => new Date() };
}

function respondBusy(isOwn: boolean): Response {
  const where = isOwn ? "from your address" : "on this server";
  return oauthError(
    "temporarily_unavailable",
    `Too many sign-ins ${where} wait for a person. Allow or deny them, or try again in some minutes.`,
    { status: 429, headers: { "retry-after": "60" } },
  );
}

function otherClient(): Response {
  return oauthError("invalid_client", `Send client_id=${cliClientId}.`);
}

function unknownCode(): Response {
  return oauthError(
    "invalid_grant",
    "This device_code is unknown, or was used. Begin a new sign-in.",
  );
}
