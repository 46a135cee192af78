import { explainError } from "#lib/web/api/api-response.ts";

/** The errors that tools get (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8707 §2), with their statuses. */
const statuses = {
  invalid_request: 400,
  invalid_client: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unsupported_grant_type: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  temporarily_unavailable: 503,
  server_error: 500,
} as const;

export type OAuthErrorCode = keyof typeof statuses;

type Options = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields beside the error. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** @param description for the developer. Fixed text without quotes, which the RFC forbids: nothing of the request */
export function oauthError(
  error: OAuthErrorCode,
  description: string,
  { status = statuses[error], headers = {}, fields = {} }: Options = {},
): Response {
  return oauthJson({ error, error_description: description, ...fields }, status, headers);
}

/** No cache keeps it: it may have a code or a token (RFC 6749 §5.1). */
export function oauthJson(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const kept = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers };
  return Response.json(value, { status, headers: kept });
}

/** The response to a failure, logged as those of the API are. */
export function oauthFailure(error: unknown, request: Request): Response {
  const { code, detail } = explainError(error, request);
  if (code !== "unavailable") return oauthError("server_error", detail);
  return oauthError("temporarily_unavailable", detail, { headers: { "retry-after": "2" } });
}

export function missing(name: string): Response {
  return oauthError("invalid_request", `${name} is missing.`);
}

export function respondToOtherMethod({ method }: Request, allow: string): Response {
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  const description = `This path only supports ${allow}.`;
  return oauthError("invalid_request", description, { status: 405, headers: { allow } });
}
