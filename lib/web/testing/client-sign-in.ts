import { createHash, randomBytes } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { POST } from "#app/mcp/route.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  allowClientSignIn,
  readClientSignIn,
} from "#lib/services/sign-in/decide-client-sign-in.ts";
import { serveProtectedResource } from "#lib/web/oauth/protected-resource.ts";
import { serveMetadata, serveRevocation, serveToken } from "#lib/web/oauth/serve-oauth.ts";
import { serveRegistration } from "#lib/web/oauth/serve-registration.ts";
import { machine } from "./sign-in-tools.ts";

export const origin = "https://hooks.example.test";

/** Calls our routes as Next does. */
export async function fetchOwn(url: string | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(url, init);
  request.headers.set("x-forwarded-for", request.headers.get("x-forwarded-for") ?? machine);
  const { pathname } = new URL(url);
  if (pathname === "/mcp") return await POST(request);
  if (pathname === "/.well-known/oauth-authorization-server") return await serveMetadata(request);
  if (pathname.startsWith("/.well-known/oauth-protected-resource"))
    return serveProtectedResource(request);
  if (pathname === "/oauth/register") return await serveRegistration(request);
  if (pathname === "/oauth/token") return await serveToken(request);
  if (pathname === "/oauth/revoke") return await serveRevocation(request);
  return new Response(null, { status: 404 });
}

/** The memory of a program that signs in, with the URL that it would open in a browser. */
export class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = "http://localhost:41234/callback";
  readonly clientMetadata = {
    client_name: "Test assistant",
    redirect_uris: ["http://localhost/callback"],
    token_endpoint_auth_method: "client_secret_post",
  };
  opened: URL | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";
  #found: OAuthDiscoveryState | undefined;

  state = () => "state-of-the-test";
  clientInformation = () => this.#client;
  tokens = () => this.#tokens;
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#found;
  saveDiscoveryState(found: OAuthDiscoveryState) {
    this.#found = found;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  redirectToAuthorization(url: URL) {
    this.opened = url;
  }
}

export async function register(metadata: object = {}, address = machine) {
  const response = await fetchOwn(`${origin}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({
      ...{ client_name: "Raw", redirect_uris: ["https://assistant.example/callback"] },
      ...metadata,
    }),
  });
  return { status: response.status, body: await response.json() };
}

export type AskedLink = {
  readonly verifier: string;
  readonly query: Readonly<Record<string, string>>;
};

/** What the link of a program asks for. An empty field is left out. */
export function askFor(clientId: string, fields: Readonly<Record<string, string>> = {}): AskedLink {
  const verifier = randomBytes(32).toString("base64url");
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: "https://assistant.example/callback",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: "hooks:read hooks:write",
    state: "s",
    resource: `${origin}/mcp`,
    ...fields,
  };
  const sent = Object.entries(query).filter(([, value]) => value !== "");
  return { verifier, query: Object.fromEntries(sent) };
}

/** Allows what the page shows, and returns what the program gets in its URL. */
export async function allowClient(
  context: ServiceContext,
  query: AskedLink["query"],
): Promise<URLSearchParams> {
  const shown = await readClientSignIn(context, { query });
  if (!shown.ok) throw new Error(shown.message);
  const account = shown.accounts.find(({ id }) => id === shown.accountId);
  const decision = { accountId: shown.accountId, scopes: [...(account?.scopes ?? [])] };
  return new URL(await allowClientSignIn(context, { query, ...decision })).searchParams;
}

/** Sends a code as the program does. */
export async function exchange(
  code: string | null,
  { verifier, query }: AskedLink,
  fields: Readonly<Record<string, string>> = {},
) {
  const form = {
    ...{ grant_type: "authorization_code", code: code ?? "", code_verifier: verifier },
    ...{ client_id: query.client_id ?? "", redirect_uri: query.redirect_uri ?? "" },
    ...fields,
  };
  const body = new URLSearchParams(form);
  const response = await fetchOwn(`${origin}/oauth/token`, { method: "POST", body });
  return { status: response.status, body: await response.json() };
}
