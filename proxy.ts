import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "./lib/web/request/content-security-policy.ts";
import { nonceHeader } from "./lib/web/request/nonce-header.ts";
import { returnToHeader } from "./lib/web/request/return-to.ts";

/**
 * Gives every page its content security policy. Next reads the nonce for its own scripts from the
 * request header, which is always overwritten here: a client must not be able to choose the nonce.
 * Access is checked where data is read, not here.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  headers.delete("content-security-policy-report-only");
  headers.set(nonceHeader, nonce);
  headers.set(returnToHeader, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

// Everything except Next's own files, which are fixed at build time, and the API, which serves no
// pages.
export const config = { matcher: ["/((?!_next/static/|api/).*)"] };
