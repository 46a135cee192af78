import type { z } from "zod";
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
import { oauthError, oauthFailure, oauthJson } from "./oauth-response.ts";
import { type OAuthForm, readForm } from "./read-form.ts";

/** Says where the endpoints are (RFC 8414). It is the same for everyone. */
export function serveMetadata(request: Request): Response {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead) return respondToOtherMethod(request, "GET, HEAD, OPTIONS");
  const { publicUrl } = serverContext().env;
  return oauthJson({
    issuer: publicUrl,
    device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
    token_endpoint: `${publicUrl}/oauth/token`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    grant_types_supported: [deviceCodeGrant],
    // There is no authorization endpoint, and the field is required.
    response_types_supported: [],
    scopes_supported: apiScopes,
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    service_documentation: `${publicUrl}/docs/api#sign-in-from-tools`,
  });
}

/** Gives a tool the codes of a new sign-in (RFC 8628 §3.1). */
export const serveDeviceAuthorization = endpoint(async (form, request, context) => {
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

/** Gives a tool its token once a person has allowed it (RFC 8628 §3.4). */
export const serveToken = endpoint(async (form, request, context) => {
  const { grant_type: grant } = form;
  if (grant === undefined) return missing("grant_type");
  if (grant !== deviceCodeGrant)
    return oauthError("unsupported_grant_type", `The only grant_type is ${deviceCodeGrant}.`);
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
});

/** Revokes a token for the tool that got it (RFC 7009). Unknown and ended tokens are revoked already. */
export const serveRevocation = endpoint(async ({ token }, request, context) => {
  if (token === undefined) return missing("token");
  const isRevoked =
    token.length > 512 || (await revokeHeldToken(auditParts(context, request), token));
  if (isRevoked) return new Response(null, { headers: { "cache-control": "no-store" } });
  return oauthError(
    "invalid_grant",
    "This token was not issued by a device sign-in. Revoke it under Account, API tokens.",
  );
});

type Work = (form: OAuthForm, request: Request, context: ServerContext) => Promise<Response>;

/** An endpoint that takes a form from the one client, and has a response whatever goes wrong. */
function endpoint(work: Work): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "POST") return respondToOtherMethod(request, "POST, OPTIONS");
    try {
      const read = await readForm(request);
      if (!read.ok) return read.response;
      if (read.form.client_id !== cliClientId)
        return oauthError("invalid_client", `Send client_id=${cliClientId}.`);
      return await work(read.form, request, serverContext());
    } catch (error) {
      return oauthFailure(error, request);
    }
  };
}

function respondToOtherMethod({ method }: Request, allow: string): Response {
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  const description = `This path only supports ${allow}.`;
  return oauthError("invalid_request", description, { status: 405, headers: { allow } });
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

function missing(name: string): Response {
  return oauthError("invalid_request", `${name} is missing.`);
}

function unknownCode(): Response {
  return oauthError(
    "invalid_grant",
    "This device_code is unknown, or was used. Begin a new sign-in.",
  );
}
