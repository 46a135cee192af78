/** A sign-in of a program by a redirect (OAuth 2.1 with PKCE), as programs, pages, and the database exchange it. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";
import { apiScopes } from "./scopes.ts";

export const authorizationCodeGrant = "authorization_code";
/** A program exchanges it at once. A person who carries it from one machine to another takes a while. */
export const authorizationCodeSeconds = 300;
export const clientTokenDays = 90;

/** For how long a registration waits for a person, and how long it is kept since one last allowed it. */
export const registrationHours = { unused: 24, used: 180 * 24 } as const;
/** For how long a client's own document is used without asking for it again. */
export const clientDocumentMinutes = 5;

/** The scopes that `/mcp` uses: what an assistant asks for if no one tells it otherwise. */
export const mcpScopes = [
  "hooks:read",
  "hooks:write",
  "deliveries:read",
  "deliveries:write",
  "events:read",
  "events:write",
  "callbacks:write",
] as const satisfies readonly (typeof apiScopes)[number][];

/** What the token is for (RFC 8707). */
export function mcpResource(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Checks that a program means this server. A slash at the end and capitals in the host change nothing. */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  const normal = URL.parse(resource)?.href.replace(/\/$/, "");
  return normal === new URL(mcpResource(publicUrl)).href || normal === new URL(publicUrl).origin;
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Checks for a port of the person's own machine (RFC 8252 §7.3). */
export function isLoopbackUri(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === "http:" && loopbackHosts.includes(url.hostname);
}

const maxUriChars = 500;

/**
 * Where a code may go: https, or the person's own machine. Not this server itself, whose name on the page would vouch
 * for someone else's hook.
 */
export function redirectUriSchema(publicUrl: string) {
  return z
    .string()
    .max(maxUriChars)
    .regex(/^https?:\/\/[\x21-\x7e]+$/)
    .refine((uri) => {
      const url = URL.parse(uri);
      if (url === null || /[\\#]/.test(uri) || url.username !== "" || url.password !== "")
        return false;
      if (url.host === new URL(publicUrl).host) return false;
      return url.protocol === "https:" || isLoopbackUri(uri);
    });
}

/** Checks that a registered redirect URI is the same. On the person's own machine, any port is (RFC 8252 §7.3). */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  if (!isLoopbackUri(registered) || !isLoopbackUri(asked)) return false;
  return withoutPort(registered) === withoutPort(asked);
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/** A name is shown to a person who decides, and names the token. */
const clientName = displayName.max(64);

/**
 * What a program says about itself (RFC 7591 §2, and the document at its URL). Other fields are ignored, and so are
 * addresses where no code may go, such as `cursor://`, if there are others.
 */
export function clientMetadataSchema(publicUrl: string) {
  const redirectUri = redirectUriSchema(publicUrl);
  return z.object({
    client_name: clientName.optional(),
    redirect_uris: z
      .array(z.string().max(maxUriChars))
      .max(20)
      .transform((uris) => uris.filter((uri) => redirectUri.safeParse(uri).success))
      .pipe(z.array(redirectUri).min(1)),
  });
}

export type ClientMetadata = z.output<ReturnType<typeof clientMetadataSchema>>;

/** The URL of a client's own document, which is its id. */
export const clientDocumentUrlSchema = z
  .string()
  .max(maxUriChars)
  .regex(/^https:\/\/[\x21-\x7e]+$/)
  .refine((id) => {
    const url = URL.parse(id);
    // Written as it is read, without a path that leads up, and with one.
    return url?.href === id && url.pathname !== "/" && url.hash === "" && url.username === "";
  });

/** SHA-256 in base64url, without padding (RFC 7636 §4.2). */
const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
export const codeVerifierSchema = z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/);
export const authorizationCodeSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Who asks, and where the response goes. Without these, there is nowhere to send an error to. */
export const askingClientSchema = z.object({
  client_id: z.string().min(1).max(maxUriChars),
  redirect_uri: z.string().min(1).max(maxUriChars),
  state: z.string().max(1_000).optional(),
});

/** What it asks for. Fields that it doesn't know are ignored (RFC 6749 §3.1). */
export const askedAccessSchema = z.object({
  response_type: z.literal("code"),
  code_challenge: codeChallenge,
  code_challenge_method: z.literal("S256"),
  resource: z.string().max(maxUriChars).optional(),
});

/** Scopes with spaces in between. Omitted: those of the tools. Unknown ones are left out, if there are others. */
export const askedScopeSchema = z
  .string()
  .max(2_000)
  .default(mcpScopes.join(" "))
  .transform((text) => text.split(" "))
  .transform((asked) => apiScopes.filter((scope) => asked.includes(scope)))
  .pipe(z.array(z.enum(apiScopes)).min(1));
