import type { NextRequest } from "next/server";
import { readSession } from "#lib/web/auth/session.ts";
import { readSearch } from "#lib/web/pages/read-search.ts";

/**
 * `?q=<text>`: what the command palette finds in the account of whoever is signed in. A route and no command: the browser
 * gives it up when the text has changed, and it never waits behind a change.
 */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  if (session === null) return Response.json({ hits: [] }, { status: 401, headers });
  const hits = await readSearch(session.accountId, request.nextUrl.searchParams.get("q") ?? "");
  return Response.json({ hits }, { headers });
}

const headers = { "cache-control": "no-store" };
