import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "./lib/web/request/content-security-policy.ts";
import { nonceHeader } from "./lib/web/request/nonce-header.ts";
import { returnToHeader } from "./lib/web/request/return-to.ts";

/**
 * Gives every page its content security policy. Next reads the nonce for its own scripts from the request header,
 * which is always overwritten here: one that came from outside would be a nonce that a stranger knows. Who may see
 * what is not decided here but where the data is read.
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

// Everything but Next's own files, whose content is fixed at build time, and the API, which answers no pages.
export const config = { matcher: ["/((?!_next/static/|api/).*)"] };
