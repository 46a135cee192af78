import { NextRequest } from "next/server";
import { serveAuth } from "#lib/web/auth/serve-auth.ts";
import { readSmallBody } from "#lib/web/request/read-small-body.ts";
import { isOwnRequest } from "#lib/web/request/request-origin.ts";

type RouteContext = { readonly params: Promise<{ readonly nextauth: string[] }> };

// The handler exposes only the next-auth routes that our pages use. Sessions are read where the
// data is.
const allowed = {
  GET: ["csrf", "providers", "signin", "error", "callback"],
  POST: ["callback", "signin", "signout"],
};

export async function GET(request: NextRequest, context: RouteContext): Promise<Response> {
  const { nextauth } = await context.params;
  if (!allowed.GET.includes(nextauth[0] ?? "")) return new Response(null, { status: 404 });
  return await serveAuth(request, context);
}

export async function POST(request: NextRequest, context: RouteContext): Promise<Response> {
  const { nextauth } = await context.params;
  if (!allowed.POST.includes(nextauth[0] ?? "")) return new Response(null, { status: 404 });
  if (!isOwnRequest(request.headers)) return new Response(null, { status: 403 });
  const body = await readSmallBody(request);
  if (body === null) return new Response(null, { status: 413 });
  const { url, method, headers } = request;
  return await serveAuth(new NextRequest(url, { method, headers, body }), context);
}
