import {
  authorizationCodeGrant,
  clientMetadataSchema,
} from "#lib/schema/account/client-sign-in.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { registerClient } from "#lib/services/sign-in/client-sign-in.ts";
import { readSmallBody } from "#lib/web/request/read-small-body.ts";
import { readClientKey, readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { oauthError, oauthFailure, oauthJson, respondToOtherMethod } from "./oauth-response.ts";

/** Registers a program, which then asks a person for access (RFC 7591). It proves nothing, and gets no secret. */
export async function serveRegistration(request: Request): Promise<Response> {
  if (request.method !== "POST") return respondToOtherMethod(request, "POST, OPTIONS");
  try {
    return await register(request);
  } catch (error) {
    return oauthFailure(error, request);
  }
}

async function register(request: Request): Promise<Response> {
  const bytes = await readSmallBody(request);
  if (bytes === null)
    return oauthError("invalid_client_metadata", "The JSON is larger than 16 KiB.", {
      status: 413,
    });
  const context = serverContext();
  const read = clientMetadataSchema(context.env.publicUrl).safeParse(parseJson(bytes));
  if (!read.success) return explain(read.error.issues.map(({ path }) => path[0]));
  const registered = await registerClient(context, {
    metadata: read.data,
    address: readRequestOrigin(request.headers).ip,
    client: readClientKey(request.headers),
  });
  if (typeof registered === "string") return respondBusy(registered === "ofRegistrant");
  const { client_name: name, redirect_uris: redirectUris } = read.data;
  return oauthJson(
    {
      client_id: registered.id,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      ...(name !== undefined && { client_name: name }),
      redirect_uris: redirectUris,
      // Whatever it asked for: it gets no secret, and no second kind of token.
      grant_types: [authorizationCodeGrant],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    201,
  );
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function explain(fields: readonly unknown[]): Response {
  if (fields[0] === "redirect_uris")
    return oauthError(
      "invalid_redirect_uri",
      "redirect_uris must have at most 20 URLs of at most 500 characters, one of them without a " +
        "fragment: https, or http to localhost, 127.0.0.1, or [::1].",
    );
  if (fields[0] === "client_name")
    return oauthError("invalid_client_metadata", "client_name must have 1 to 64 characters.");
  return oauthError("invalid_client_metadata", "Send a JSON object with redirect_uris.");
}

function respondBusy(isOwn: boolean): Response {
  const where = isOwn ? "from your address" : "on this server";
  return oauthError(
    "temporarily_unavailable",
    `Too many programs registered ${where} wait for a person. Allow one, or try again tomorrow.`,
    { status: 429, headers: { "retry-after": "3600" } },
  );
}
