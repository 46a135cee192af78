import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { openPortal } from "#lib/services/portal.ts";
import { contentSecurityPolicy, nonceHeader } from "#lib/web/request/content-security-policy.ts";
import { returnToHeader } from "#lib/web/request/own-path.ts";
import { serverContext } from "./lib/services/frame/server-context.ts";

/**
 * Gives every page its content security policy. Next reads the nonce for its own scripts from the
 * request header, which is always overwritten here: a client must not be able to choose the nonce.
 * Access is checked where data is read, not here.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const nonce = randomBytes(16).toString("base64");
  const { pathname, search } = request.nextUrl;
  const token = readPortalToken(pathname);
  const policy = contentSecurityPolicy({
    nonce,
    isDevelopment: process.env.NODE_ENV === "development",
    frameAncestors: token === null || isFetch(request) ? [] : await listFrameAncestors(token),
  });
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  headers.delete("content-security-policy-report-only");
  headers.set(nonceHeader, nonce);
  headers.set(returnToHeader, pathname + search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (token === null) return response;
  // The address is the credential: it is stored and shown nowhere.
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-robots-tag", "noindex, nofollow");
  return response;
}

/** The token in the path of a portal page, or null elsewhere. It may be unknown. */
function readPortalToken(pathname: string): string | null {
  return /^\/portal\/([^/]+)/.exec(pathname)?.[1] ?? null;
}

/** Made by a script of a page, such as for the next page: its response is never shown in a frame. */
function isFetch({ headers }: NextRequest): boolean {
  return headers.get("sec-fetch-dest") === "empty";
}

/** Pages that may frame the portal of this link. None if that can't be read now. */
async function listFrameAncestors(token: string): Promise<readonly string[]> {
  const portal = await openPortal(serverContext(), token).catch(() => null);
  return portal?.settings.portalOrigins ?? [];
}

// Everything except Next's own files, which are fixed at build time, and what programs call, which is
// no page.
export const config = {
  matcher: ["/((?!_next/static/|api/|mcp$|oauth/(?!authorize$)|\\.well-known/).*)"],
};
