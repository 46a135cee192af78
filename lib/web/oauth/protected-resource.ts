import { apiScopes } from "#lib/schema/account/scopes.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { oauthError, oauthJson } from "./oauth-response.ts";

const allow = "GET, HEAD, OPTIONS";

/**
 * Says which server gives tokens for `/mcp` (RFC 9728): this one. It is the same for everyone, at the path of the
 * resource and at the root, where some clients look.
 */
export function serveProtectedResource(request: Request): Response {
  const { method, url } = request;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  if (method !== "GET" && method !== "HEAD")
    return oauthError("invalid_request", `This path only supports ${allow}.`, {
      ...{ status: 405, headers: { allow } },
    });
  const path = new URL(url).pathname.replace(/^\/\.well-known\/oauth-protected-resource/, "");
  if (path !== "" && path !== "/mcp")
    return oauthError("invalid_request", "The only resource here is /mcp.", { status: 404 });
  const { publicUrl } = serverContext().env;
  return oauthJson({
    resource: `${publicUrl}/mcp`,
    authorization_servers: [publicUrl],
    scopes_supported: apiScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Catchment",
    resource_documentation: `${publicUrl}/docs/operations/mcp`,
  });
}
