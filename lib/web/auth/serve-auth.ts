import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { toErrorCode } from "#lib/core/people/sign-in/classify-oidc-error.ts";
import type { RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";
import { authOptions } from "./auth.ts";

type RouteContext = { readonly params: Promise<{ readonly nextauth: string[] }> };

/** Lets next-auth respond. The URLs that it leads to have a code for an error, never its message. */
export async function serveAuth(request: NextRequest, context: RouteContext): Promise<Response> {
  let reason: RejectionReason | undefined;
  const options = authOptions((found) => {
    reason = found;
  });
  const response: Response = await NextAuth(withErrorName(request), context, options);
  const location = response.headers.get("location");
  if (location !== null) {
    response.headers.set("location", withCode(location, reason));
    return response;
  }
  if (response.headers.get("content-type") !== "application/json") return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof body !== "object" || body === null || !("url" in body)) return response;
  const url = withCode(String(body.url), reason);
  return new Response(JSON.stringify({ ...body, url }), response);
}

/**
 * next-auth copies the error of its own error page into a header as it is, which fails for control
 * characters and for everything beyond Latin-1. Its own names are letters.
 */
function withErrorName(request: NextRequest): NextRequest {
  const url = new URL(request.url);
  const error = url.searchParams.get("error");
  if (!url.pathname.endsWith("/error") || error === null || /^[A-Za-z_]*$/.test(error))
    return request;
  url.searchParams.set("error", toErrorCode(error, undefined));
  return new NextRequest(url, request);
}

/** Nothing follows the error in a URL of next-auth. */
function withCode(url: string, reason: RejectionReason | undefined): string {
  const [, before = "", error] = /^([^?#]*\?(?:[^#]*&)?error=)([^&#]*)/.exec(url) ?? [];
  if (error === undefined) return url;
  const given = new URLSearchParams(`error=${error}`).get("error") ?? "";
  return before + encodeURIComponent(toErrorCode(given, reason));
}
