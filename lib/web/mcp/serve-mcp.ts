import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { AppError, toError } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { mcpScopes } from "#lib/schema/account/client-sign-in.ts";
import {
  type ServerContext,
  serverContext,
  serviceContext,
} from "#lib/services/frame/server-context.ts";
import { readBody } from "#lib/web/api/api-request.ts";
import { respond } from "#lib/web/api/api-response.ts";
import { isOwnRequest, readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { requireToken } from "#lib/web/request/require-token.ts";
import { type Caller, createServer } from "./create-server.ts";
import type { WriteDraft } from "./frame/tool.ts";
import { respondLate } from "./respond-late.ts";

/** Far more than any call needs. */
const maxBodyBytes = 65_536;
const allow = "POST, OPTIONS";

const handler = createMcpHandler(
  ({ authInfo, era }) => createServer(authInfo?.extra?.caller as Caller, { era }),
  {
    maxRequestBodySize: maxBodyBytes,
    // What a server lists changes with its version only, so no one has to listen.
    maxSubscriptions: 1,
    onerror: (error) => logCounted("info", "mcp.rejected", { error: toError(error).name }),
  },
);

/** Serves `/mcp`: one call of a client of the Model Context Protocol, with an API token. */
export async function serveMcp(request: Request, writeDraft: WriteDraft): Promise<Response> {
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  return await respond(request, async () => {
    // Pages of other sites must not call with what a browser holds, nor by DNS rebinding.
    if (request.headers.has("origin") && !isOwnRequest(request.headers)) throw foreignOrigin();
    if (request.method !== "POST") throw onlyPost();
    const caller = { ...(await authenticate(request)), writeDraft };
    const body = await readBody(request, maxBodyBytes);
    const { url, headers, signal } = request;
    const call = new Request(url, { method: "POST", headers, body: Buffer.from(body), signal });
    const authInfo: AuthInfo = { ...describeToken(caller), extra: { caller } };
    return await respondLate(handler.fetch(call, { authInfo }), caller.actor.accountId);
  });
}

function foreignOrigin(): AppError {
  const detail = "Pages of other sites can't call this server. MCP clients send no Origin.";
  return new AppError("forbidden", detail);
}

function onlyPost(): AppError {
  const detail = "MCP clients send POST. This server has no sessions, and no stream of its own.";
  return new AppError("method_not_allowed", detail, { headers: { allow } });
}

async function authenticate(request: Request): Promise<Pick<Caller, "actor" | "context">> {
  const parts = serverContext();
  try {
    const actor = await requireToken(parts, request);
    return { actor, context: serviceContext(actor, readRequestOrigin(request.headers)) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const isRejected = request.headers.get("authorization")?.startsWith("Bearer ") === true;
    const why = isRejected ? 'error="invalid_token", ' : "";
    const challenge = `Bearer ${why}resource_metadata="${metadataUrl(parts)}", scope="${mcpScopes.join(" ")}"`;
    throw new AppError("unauthenticated", error.message, {
      headers: { "www-authenticate": challenge },
    });
  }
}

/** Where a client without a token learns how to get one (RFC 9728). */
function metadataUrl({ env }: ServerContext): string {
  return `${env.publicUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** Nothing reads the token itself. */
function describeToken({ actor }: Pick<Caller, "actor">) {
  return { token: "", clientId: actor.tokenId, scopes: [...actor.scopes] };
}
