import { mcpResource, mcpScopes } from "#lib/schema/account/client-sign-in.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { oauthError, oauthJson, respondToOtherMethod } from "./oauth-response.ts";

const allow = "GET, HEAD, OPTIONS";

/**
 * Says which server gives tokens for `/mcp` (RFC 9728): this one. It is the same for everyone, at the path of the
 * resource and at the root, where some clients look.
 */
export function serveProtectedResource(request: Request): Response {
  const { method, url } = request;
  if (method !== "GET" && method !== "HEAD") return respondToOtherMethod(request, allow);
  const path = new URL(url).pathname.replace(/^\/\.well-known\/oauth-protected-resource/, "");
  if (path !== "" && path !== "/mcp")
    return oauthError("invalid_request", "The only resource here is /mcp.", { status: 404 });
  const { publicUrl } = serverContext().env;
  return oauthJson({
    resource: mcpResource(publicUrl),
    authorization_servers: [publicUrl],
    // What the tools use. Clients ask for all of it, unless someone tells them otherwise.
    scopes_supported: mcpScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Catchment",
    resource_documentation: `${publicUrl}/docs/operations/mcp`,
  });
}
